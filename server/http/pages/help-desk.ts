/** The demo's own help desk, for trying the sign-in without a real one. */
import { randomBytes } from 'node:crypto';

import { errors, jwtVerify } from 'jose';

import type { App } from '#server/app/app.ts';
import type { ServerConfig } from '#server/base/config.ts';

import { html } from './html.ts';
import type { Page } from './page.ts';

/** The same path as Zendesk's. */
export const HELP_DESK_PATH = '/help-desk/access/jwt';

/** Returns the configuration of the demo's help desk, with a secret that lasts as long as this process. */
export const localHelpDesk = (origin: string): NonNullable<ServerConfig['helpDesk']> => ({
  url: `${origin}${HELP_DESK_PATH}`,
  secret: randomBytes(32).toString('base64url'),
});

/**
 * Handles a posted sign-in form.
 *
 * @returns the HTTP status and the page
 */
export type HelpDesk = (form: URLSearchParams) => Promise<{ status: number; page: Page }>;

/** The maximum age of a token, and the maximum difference between the clocks, in seconds. */
const tolerance = { age: 180, clock: 5 };

/** Checks the token as a real help desk does. The token must be signed by us, recent, and unused. */
export function createHelpDesk({ now }: Pick<App, 'now'>, secret: string): HelpDesk {
  const key = new TextEncoder().encode(secret);
  /** The ids of used tokens, each with its expiry in milliseconds. */
  const usedIds = new Map<string, number>();

  return async (form) => {
    const time = now();
    for (const [id, until] of usedIds) if (until < time.getTime()) usedIds.delete(id);
    let claims;
    try {
      const { payload } = await jwtVerify(form.get('jwt') ?? '', key, {
        algorithms: ['HS256'],
        requiredClaims: ['iat', 'jti', 'email', 'name'],
        maxTokenAge: tolerance.age,
        clockTolerance: tolerance.clock,
        currentDate: time,
      });
      claims = payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      return errorPage('This sign-in is invalid or has expired.');
    }
    const id = String(claims.jti);
    if (usedIds.has(id)) return errorPage('This sign-in has already been used.');
    usedIds.set(id, time.getTime() + (tolerance.age + tolerance.clock) * 1000);
    const { name, email } = claims;
    return { status: 200, page: welcomePage(String(name), String(email)) };
  };
}

const welcomePage = (name: string, email: string): Page => ({
  title: 'Help desk',
  content: html`<h1>Signed in to the help desk as ${name}</h1>
    <p>This is the demo's stand-in for a help desk. It identified you by the token that Quarterdeck signed.</p>
    <dl>
      <dt>Name</dt>
      <dd>${name}</dd>
      <dt>Email</dt>
      <dd>${email}</dd>
    </dl>`,
});

function errorPage(reason: string): { status: number; page: Page } {
  return {
    status: 401,
    page: {
      title: 'Help desk',
      content: html`<h1>Not signed in to the help desk</h1>
        <p role="alert">${reason} <a href="/login/support">Sign in again</a></p>`,
    },
  };
}
