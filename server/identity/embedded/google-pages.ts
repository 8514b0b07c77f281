/** Who somebody is at Google. The name is empty when they gave none. */
export interface GoogleAccount {
  email: string;
  name: string;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (value: string): string => value.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** The console's colours and sizes, for a page that comes without the console. */
const style = `
  :root { color-scheme: light dark;
    --ground: light-dark(oklch(.985 .002 260), oklch(.165 .008 260)); --raised: light-dark(#fff, oklch(.195 .009 260));
    --line: light-dark(oklch(.62 .01 260), oklch(.52 .014 260)); --ink: light-dark(oklch(.24 .015 260), oklch(.94 .005 260));
    --quiet: light-dark(oklch(.42 .015 260), oklch(.76 .01 260)); --accent: light-dark(oklch(.52 .17 262), oklch(.7 .135 262));
    --on-accent: light-dark(#fff, oklch(.165 .008 260)); --wrong: light-dark(oklch(.5 .2 25), oklch(.75 .16 25)); }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 13px/1.5 Inter, system-ui, sans-serif; }
  main { max-width: 22rem; margin: 0 auto; padding: 1.5rem 1.25rem; }
  h1 { font-size: 15px; margin: 0 0 .25rem; } h2 { font-size: 13px; margin: 1.5rem 0 .5rem; }
  p { margin: 0; color: var(--quiet); } ul { margin: 1rem 0 0; padding: 0; list-style: none; display: grid; gap: .375rem; }
  label { display: block; margin-top: .75rem; }
  input { width: 100%; height: 2rem; padding: 0 .5rem; font: inherit; color: inherit; background: var(--raised);
    border: 1px solid var(--line); border-radius: 6px; }
  button { min-height: 2rem; padding: .25rem .75rem; font: inherit; font-weight: 500; border-radius: 6px; cursor: pointer;
    border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
  form > button { margin-top: 1rem; }
  li button { width: 100%; text-align: left; font-weight: 400; overflow-wrap: anywhere; border-color: var(--line);
    background: var(--raised); color: var(--ink); }
  li span { display: block; color: var(--quiet); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
  [role=alert] { margin-top: .25rem; color: var(--wrong); }
`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

/**
 * Asks which Google account to sign in with: one of those known here, or a new one.
 *
 * @param action where the answer goes
 * @param refused what was typed, when its address is none
 */
export function chooserPage(action: string, known: readonly GoogleAccount[], refused?: GoogleAccount): string {
  const first = refused === undefined ? ' autofocus' : '';
  const choices = known.map(
    ({ email, name }, index) =>
      `<li><button name="account" value="${text(email)}"${index === 0 ? first : ''}>${text(name || email)}${
        name === '' ? '' : ` <span>${text(email)}</span>`
      }</button></li>`,
  );
  const list = `<form method="post" action="${action}"><ul>${choices.join('')}</ul></form>`;
  const focus = known.length === 0 || refused !== undefined ? ' autofocus' : '';
  const complaint = refused === undefined ? '' : '<p id="wrong" role="alert">This is not an email address.</p>';
  return page(
    'Demo Google account – Quarterdeck',
    `<h1>Sign in with a demo Google account</h1>
<p>Nobody at Google is asked: this is the demo's stand-in, and any address will do.</p>
${choices.length === 0 ? '' : list}
<form method="post" action="${action}" novalidate>
<h2>${choices.length === 0 ? 'A new account' : 'Or a new account'}</h2>
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${text(refused?.email ?? '')}"${focus}${
      refused === undefined ? '' : ' aria-invalid="true" aria-describedby="wrong"'
    }>
${complaint}
<label for="name">Name</label>
<input id="name" name="name" autocomplete="name" value="${text(refused?.name ?? '')}">
<button>Sign in</button>
</form>`,
  );
}

/** Hands the ID token to the window that asked, and closes; a page of its own because scripts may not stand in pages. */
export function chosenPage(script: string, { email }: GoogleAccount, idToken: string): string {
  return page(
    'Signed in – Quarterdeck',
    `<h1>Signed in</h1>
<p>As ${text(email)}. This window can be closed.</p>
<script src="${script}" data-id-token="${text(idToken)}"></script>`,
  );
}

/** Only to a window of our own origin: the token is as good as the account. */
export const postBack = `
const { idToken } = document.currentScript.dataset;
window.opener?.postMessage({ type: 'quarterdeck:google-account', idToken }, window.location.origin);
window.close();
`;
