import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';

import { html, Html } from './html.ts';

export interface Page {
  readonly title: string;
  readonly content: Html;
}

/**
 * Sends a page.
 *
 * @param status the HTTP status
 */
export type SendPage = (response: ServerResponse, status: number, page: Page) => void;

/** Used in addition to the console's own stylesheet, which provides colors, fonts, and focus rings. */
const STYLE = `
html, body { height: auto; min-height: 100%; }
body { overflow: visible; }
header { display: flex; align-items: center; gap: 10px; height: 40px; padding: 0 20px; border-bottom: 1px solid var(--line);
  background: var(--surface-1); font-size: 12.5px; }
header img { width: 18px; height: 18px; }
header strong { font-weight: 600; }
header nav { margin-left: auto; display: flex; gap: 20px; }
main { max-width: 760px; margin: 0 auto; padding: 40px 20px 64px; }
h1 { font-size: 15px; line-height: 20px; font-weight: 600; }
h1 + p { margin-top: 6px; max-width: 84ch; color: var(--ink-2); }
a { color: var(--accent); text-underline-offset: 2px; }
a:hover { text-decoration: underline; }
p a, .text a { text-decoration: underline; }
ol { margin-top: 24px; list-style: none; border: 1px solid var(--line); border-radius: 6px; background: var(--surface-1);
  overflow: hidden; }
li + li { border-top: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 12px minmax(0, 1fr) auto; column-gap: 10px; align-items: baseline;
  padding: 9px 14px; cursor: default; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ''; width: 5px; height: 5px; margin-left: 1px; border-right: 1.5px solid var(--ink-3);
  border-bottom: 1.5px solid var(--ink-3); transform: translateY(-2px) rotate(-45deg); }
details[open] > summary::before { transform: translateY(-3px) rotate(45deg); }
summary:hover { background: var(--surface-2); }
summary:focus-visible { outline-offset: -2px; border-radius: 6px; }
.subject { font-weight: 500; overflow-wrap: anywhere; }
.to { grid-column: 2 / -1; color: var(--ink-3); font-size: 11px; line-height: 16px; overflow-wrap: anywhere; }
.kind { margin-right: 8px; padding: 0 5px; border: 1px solid var(--line-strong); border-radius: 4px; color: var(--ink-2);
  font-size: 11px; font-weight: 400; line-height: 16px; }
time { color: var(--ink-3); font-size: 11px; white-space: nowrap; }
.text { padding: 4px 14px 18px 36px; color: var(--ink-1); font-size: 12.5px; line-height: 20px; white-space: pre-wrap;
  overflow-wrap: anywhere; }
dl { margin-top: 24px; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 6px 20px; }
dt { color: var(--ink-3); }
dd { overflow-wrap: anywhere; }
.empty { margin-top: 24px; padding: 28px 20px; border: 1px dashed var(--line-strong); border-radius: 6px; color: var(--ink-2);
  text-align: center; }
`;

/** The only style element. The content security policy allows it by the hash of its exact content. */
const styleElement = new Html(`<style>${STYLE}</style>`);

const policy = [
  `default-src 'none'`,
  `style-src 'self' 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `font-src 'self'`,
  `img-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/**
 * Renders pages that look like the console and contain no scripts.
 *
 * @param consoleFolder the built console's folder; if there is none, pages have only basic styles
 */
export function pageSender(consoleFolder: string): SendPage {
  const { stylesheets, icon } = consoleAssets(consoleFolder);
  return (response, status, { title, content }) => {
    response.setHeader('content-security-policy', policy);
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      // The links in emails grant access.
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    const document = html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <title>${title} · Quarterdeck</title>
          ${icon === undefined ? '' : html`<link rel="icon" type="image/svg+xml" href="${icon}" />`}
          ${stylesheets.map((href) => html`<link rel="stylesheet" href="${href}" />`)} ${styleElement}
        </head>
        <body>
          <header>
            ${icon === undefined ? '' : html`<img src="${icon}" alt="" />`}
            <strong>Quarterdeck</strong>
            <nav aria-label="Quarterdeck"><a href="/">Console</a></nav>
          </header>
          <main>${content}</main>
        </body>
      </html> `;
    response.end(document.text);
  };
}

/** Returns the stylesheets and the icon of the console's own page. Their names change with every build. */
export function consoleAssets(consoleFolder: string): { stylesheets: string[]; icon: string | undefined } {
  let page = '';
  try {
    page = readFileSync(join(consoleFolder, 'index.html'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const hrefs = (rel: string): string[] =>
    [...page.matchAll(new RegExp(`<link rel="${rel}"[^>]* href="([^"]+)"`, 'g'))].flatMap(([, href]) => href ?? []);
  return { stylesheets: hrefs('stylesheet'), icon: hrefs('icon')[0] };
}
