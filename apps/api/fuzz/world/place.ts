/** The city and the state of the organizations: São Paulo. */
export const place = { cityCode: 3550308, stateCode: 35 };
