const kinds = [
  'Cooperativa Agrícola',
  'Cooperativa de Crédito',
  'Associação de Produtores',
  'Central de Comercialização',
  'Laticínios',
  'Cafeicultores',
];
const places = `São João,Santa Bárbara,Vale do Itajaí,Chapecó,Ribeirão Preto,Uberlândia,Petrolina,Sertãozinho,Três Corações,Paranaguá,Ijuí,
Não-Me-Toque,Maringá,Goiânia,Rio Verde,Luís Eduardo,Barreiras,Açailândia,Jataí`.split(/,\s*/);
const endings = [
  'do Sul',
  'do Norte',
  'da Serra',
  'dos Campos',
  'das Águas',
  'Unidos',
  'da Esperança',
  'Central',
  'Nova Aliança',
  'e Região',
];
const firstNames = ['Ana', 'João', 'José', 'Luísa', 'Antônio', 'Cláudia', 'Márcia', 'Sebastião', 'Inês', 'Vinícius', 'Bruna', 'Tarcísio'];
const lastNames = ['Souza', 'Araújo', 'Gonçalves', 'Conceição', 'Magalhães', 'Brandão', 'Assunção', 'Muller', 'Nakamura', 'Sá'];
const streets = ['Rua XV de Novembro', 'Avenida Getúlio Vargas', 'Rua das Acácias', 'Praça da Sé', 'Estrada da Graciosa', 'Rua Tiradentes'];

/** Places that occur only in the names that a name filter looks for, and the filter's text without accents. */
export const filteredPlaces = {
  largest: { place: 'Jaguariaíva', filter: 'jaguariaiva' },
  usual: { place: 'Tapiraí', filter: 'tapirai' },
} as const;

const pick = (list: readonly string[], n: number): string => list[n % list.length] ?? '';

/** @param place overrides the place of the organization */
export const organizationName = (n: number, place = pick(places, Math.floor(n / kinds.length))): string =>
  `${pick(kinds, n)} ${place} ${pick(endings, Math.floor(n / 113))} ${n % 9973}`;
export const aliasOf = (n: number): string => `${pick(places, n)} ${pick(endings, n)}`;
export const personName = (n: number): string =>
  `${pick(firstNames, n)} ${pick(lastNames, Math.floor(n / firstNames.length))} ${pick(lastNames, Math.floor(n / 7))}`;
export const streetOf = (n: number): string => pick(streets, n);
export const placeOf = (n: number): string => pick(places, n);
