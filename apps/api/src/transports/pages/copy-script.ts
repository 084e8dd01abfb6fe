/** Adds a button to each sample that copies its commands. */
export const copyScript = `
for (const sample of navigator.clipboard ? document.querySelectorAll('.sample') : []) {
  const button = document.createElement('button');
  const title = sample.closest('li, div.card').querySelector('h3').textContent;
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy the commands: ' + title);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sample.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  sample.prepend(button);
}
`;
