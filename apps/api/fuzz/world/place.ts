/** São Paulo in São Paulo: where the world's organizations are. */
export const place = { cityCode: 3550308, stateCode: 35 };
