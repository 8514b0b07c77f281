import { Html, html } from '#server/http/pages/html.ts';

/** A Google account. The name is empty if the user entered none. */
export interface GoogleAccount {
  readonly email: string;
  readonly name: string;
}

/** The URLs that a page needs. */
export interface PageUrls {
  /** The URL of the page itself. */
  readonly path: string;
  /** The URL of {@link POST_BACK}. */
  readonly script: string;
  /** The console's stylesheets, which define colors, fonts, and focus rings. If there are none, the pages are plain. */
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

const page = ({ stylesheets }: PageUrls, title: string, content: Html): string =>
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

const emptyHtml = html``;
const attributeIf = (condition: boolean, markup: string): Html => (condition ? new Html(` ${markup}`) : emptyHtml);

/**
 * Renders the page where users choose an existing Google account or enter a new one.
 *
 * @param invalidInput the input to correct, if its address was invalid
 */
export function chooserPage(urls: PageUrls, accounts: readonly GoogleAccount[], invalidInput?: GoogleAccount): string {
  const isInvalid = invalidInput !== undefined;
  const choice = ({ email, name }: GoogleAccount, index: number): Html =>
    html`<li>
      <button name="account" value="${email}" ${attributeIf(index === 0 && !isInvalid, 'autofocus')}>
        ${name || email} ${name === '' ? emptyHtml : html`<small>${email}</small>`}
      </button>
    </li>`;
  const choices = html`<form method="post" action="${urls.path}">
    <ul>
      ${accounts.map(choice)}
    </ul>
  </form>`;
  const autofocus = attributeIf(accounts.length === 0 || isInvalid, 'autofocus');
  return page(
    urls,
    'Demo Google account',
    html`<h1>Sign in with a demo Google account</h1>
      <p>This page replaces Google in the demo. You can use any email address.</p>
      ${accounts.length === 0 ? emptyHtml : choices}
      <form method="post" action="${urls.path}" novalidate>
        <h2>${accounts.length === 0 ? 'New account' : 'Or use a new account'}</h2>
        <label for="email">Email</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          required
          value="${invalidInput?.email ?? ''}"
          ${autofocus}
          ${attributeIf(isInvalid, 'aria-invalid="true" aria-describedby="wrong"')}
        />
        ${isInvalid ? html`<p id="wrong" role="alert">Enter a valid email address.</p>` : emptyHtml}
        <label for="name">Name</label>
        <input id="name" name="name" autocomplete="name" value="${invalidInput?.name ?? ''}" />
        <button>Sign in</button>
      </form>`,
  );
}

/**
 * Renders the page that passes the ID token to its opener and closes. The script is a separate file because the content
 * security policy forbids inline scripts.
 */
export function signedInPage(urls: PageUrls, { email }: GoogleAccount, idToken: string): string {
  return page(
    urls,
    'Signed in',
    html`<h1>Signed in</h1>
      <p>You are signed in as ${email}. You can close this window.</p>
      <script src="${urls.script}" data-id-token="${idToken}"></script>`,
  );
}

/** Posts the token only to a window of our own origin, because the token gives access to the account. */
export const POST_BACK = `
const { idToken } = document.currentScript.dataset;
window.opener?.postMessage({ type: 'quarterdeck:google-account', idToken }, window.location.origin);
window.close();
`;
