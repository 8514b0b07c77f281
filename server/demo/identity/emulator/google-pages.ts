import { Html, html } from '#server/http/pages/html.ts';

/** Who somebody is at Google. The name is empty when they gave none. */
export interface GoogleAccount {
  readonly email: string;
  readonly name: string;
}

/** What pages need to know of where they are served. */
export interface Place {
  /** Address of the page itself. */
  readonly path: string;
  /** Address of `postBack`. */
  readonly script: string;
  /** Of the console, which bring its colours, fonts and focus rings; without them the pages are plain. */
  readonly stylesheets: readonly string[];
}

const STYLE = `
html, body { height: auto; min-height: 100%; }
body { overflow: visible; }
main { max-width: 340px; margin: 0 auto; padding: 28px 20px; }
h1 { font-size: 15px; line-height: 20px; font-weight: 600; }
h1 + p { margin-top: 6px; color: var(--ink-2); }
h2 { margin-top: 24px; font-weight: 600; }
ul { margin-top: 16px; list-style: none; display: grid; gap: 6px; }
label { display: block; margin-top: 12px; font-size: 11px; line-height: 16px; color: var(--ink-2); }
input { width: 100%; height: 32px; margin-top: 2px; padding: 0 8px; border: 1px solid var(--line-field); border-radius: 6px;
  background: var(--surface-0); }
input[aria-invalid] { border-color: var(--health-error); }
button { min-height: 32px; padding: 4px 12px; border: 1px solid transparent; border-radius: 6px; font-weight: 500;
  background: var(--accent); color: var(--on-accent); }
form > button { margin-top: 16px; }
li button { width: 100%; text-align: left; overflow-wrap: anywhere; border-color: var(--line-strong);
  background: var(--surface-1); color: var(--ink-1); }
li button:hover { background: var(--surface-2); }
li small { display: block; font-size: 11px; font-weight: 400; color: var(--ink-2); }
[role=alert] { margin-top: 4px; color: var(--error-text); }
`;

const page = ({ stylesheets }: Place, title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Quarterdeck</title>
        ${stylesheets.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `.text;

const nothing = html``;
const when = (condition: boolean, markup: string): Html => (condition ? new Html(` ${markup}`) : nothing);

/**
 * Asks which Google account to sign in with: one of those known here, or a new one.
 *
 * @param refused what was typed, when its address is none
 */
export function chooserPage(place: Place, known: readonly GoogleAccount[], refused?: GoogleAccount): string {
  const wrong = refused !== undefined;
  const choice = ({ email, name }: GoogleAccount, index: number): Html =>
    html`<li>
      <button name="account" value="${email}" ${when(index === 0 && !wrong, 'autofocus')}>
        ${name || email} ${name === '' ? nothing : html`<small>${email}</small>`}
      </button>
    </li>`;
  const choices = html`<form method="post" action="${place.path}">
    <ul>
      ${known.map(choice)}
    </ul>
  </form>`;
  const focused = when(known.length === 0 || wrong, 'autofocus');
  return page(
    place,
    'Demo Google account',
    html`<h1>Sign in with a demo Google account</h1>
      <p>Nobody at Google is asked: this is the demo's stand-in, and any address will do.</p>
      ${known.length === 0 ? nothing : choices}
      <form method="post" action="${place.path}" novalidate>
        <h2>${known.length === 0 ? 'A new account' : 'Or a new account'}</h2>
        <label for="email">Email</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          required
          value="${refused?.email ?? ''}"
          ${focused}
          ${when(wrong, 'aria-invalid="true" aria-describedby="wrong"')}
        />
        ${wrong ? html`<p id="wrong" role="alert">This is not an email address.</p>` : nothing}
        <label for="name">Name</label>
        <input id="name" name="name" autocomplete="name" value="${refused?.name ?? ''}" />
        <button>Sign in</button>
      </form>`,
  );
}

/**
 * Hands the ID token to the window that asked, and closes; a page of its own because scripts may not stand in pages.
 */
export function chosenPage(place: Place, { email }: GoogleAccount, idToken: string): string {
  return page(
    place,
    'Signed in',
    html`<h1>Signed in</h1>
      <p>As ${email}. This window can be closed.</p>
      <script src="${place.script}" data-id-token="${idToken}"></script>`,
  );
}

/** Only to a window of our own origin: the token is as good as the account. */
export const POST_BACK = `
const { idToken } = document.currentScript.dataset;
window.opener?.postMessage({ type: 'quarterdeck:google-account', idToken }, window.location.origin);
window.close();
`;
