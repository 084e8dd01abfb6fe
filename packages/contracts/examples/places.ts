export const saoPaulo = { cityCode: 3550308, stateCode: 35 };
export const campinas = { cityCode: 3509502, stateCode: 35 };
export const curitiba = { cityCode: 4106902, stateCode: 41 };

/** The required fields of an address. */
export const praca = { zipCode: '01001000', street: 'Praça da Sé', number: '1', ...saoPaulo };

let counter = 0;

/** A state with a code and an abbreviation that do not exist in Brazil. */
export function newState() {
  counter += 1;
  return {
    stateCode: 1000 + counter,
    uf: counter.toString(36).padStart(2, '0'),
    name: 'Nova',
    latitude: -10.5,
    longitude: 0,
    region: 'Nova',
  };
}

/** A city in São Paulo with codes that do not exist in Brazil. */
export function newCity() {
  counter += 1;
  const place = { stateCode: 35, latitude: -10.5, longitude: 0, timeZone: 'America/Sao_Paulo' };
  return { ibgeCode: 9_000_000 + counter, name: 'Nova', capital: false, siafiId: counter.toString(36).padStart(4, 'N'), ddd: 11, ...place };
}
