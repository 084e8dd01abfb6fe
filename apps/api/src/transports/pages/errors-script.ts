/** The filter of the error catalogue. The page is a plain list without it. */
export const errorsScript = `
const find = document.querySelector('.find'), input = find.querySelector('input'), count = find.querySelector('output');
const codes = [...document.querySelectorAll('.code')], groups = [...document.querySelectorAll('section')];
const texts = new Map(codes.map((code) => [code, (code.id + ' ' + code.id.replaceAll('_', ' ') + ' ' + [...code.querySelectorAll('.text')].map((part) => part.textContent).join(' ')).toLowerCase()]));
const filter = () => {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const code of codes) code.hidden = !words.every((word) => texts.get(code).includes(word));
  for (const group of groups) group.hidden = !group.querySelector('.code:not([hidden])');
  const shown = codes.filter((code) => !code.hidden).length;
  count.textContent = words.length ? shown + ' of ' + codes.length + ' codes' : codes.length + ' codes';
};
const showTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.closest('[hidden]')) return;
  input.value = '';
  filter();
  target.scrollIntoView();
};
find.hidden = false;
filter();
input.addEventListener('input', filter);
addEventListener('hashchange', showTarget);
input.addEventListener('keydown', (event) => {
  const first = codes.find((code) => !code.hidden);
  if (event.key === 'Escape') { input.value = ''; filter(); }
  if (event.key === 'Enter' && first) { location.hash = first.id; first.querySelector('a').focus({ preventScroll: true }); }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === input) return;
  event.preventDefault();
  input.focus();
});
`;
