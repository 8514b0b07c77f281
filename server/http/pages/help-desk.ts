/** A support desk of the demo's own, so that signing in there can be seen without one. */
import { randomBytes } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import type { App } from '#server/app/app.ts';
import type { ServerConfig } from '#server/base/config.ts';
import { html } from './html.ts';
import type { Page } from './page.ts';

/** As at Zendesk. */
export const HELP_DESK_PATH = '/help-desk/access/jwt';

/** @returns the desk for `config.helpDesk`; its secret lives as long as this process */
export const localHelpDesk = (origin: string): NonNullable<ServerConfig['helpDesk']> => ({
  url: `${origin}${HELP_DESK_PATH}`,
  secret: randomBytes(32).toString('base64url'),
});

/** Takes a sign-in: the form as it was posted. @returns the HTTP status and what to show */
export type HelpDesk = (form: URLSearchParams) => Promise<{ status: number; page: Page }>;

/** Seconds that a token may be old, and that clocks may differ. */
const tolerance = { age: 180, clock: 5 };

/** Checks the token as a support desk does: our signature, fresh, and used once. */
export function createHelpDesk({ now }: Pick<App, 'now'>, secret: string): HelpDesk {
  const key = new TextEncoder().encode(secret);
  /** Ids of tokens that were used, with the time in milliseconds after which they are too old anyway. */
  const used = new Map<string, number>();

  return async (form) => {
    const time = now();
    for (const [id, until] of used) if (until < time.getTime()) used.delete(id);
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
      return refused('The help desk cannot tell who you are: the sign-in is not valid, or too old.');
    }
    const id = String(claims.jti);
    if (used.has(id)) return refused('This sign-in was used already.');
    used.set(id, time.getTime() + (tolerance.age + tolerance.clock) * 1000);
    const { name, email } = claims;
    return { status: 200, page: welcome(String(name), String(email)) };
  };
}

const welcome = (name: string, email: string): Page => ({
  title: 'Help desk',
  content: html`<h1>Signed in at the help desk as ${name}</h1>
    <p>
      This is the demo's stand-in for a support desk. It took the token that Quarterdeck signed, and knows you by it.
    </p>
    <dl>
      <dt>Name</dt>
      <dd>${name}</dd>
      <dt>Email</dt>
      <dd>${email}</dd>
    </dl>`,
});

function refused(sentence: string): { status: number; page: Page } {
  return {
    status: 401,
    page: {
      title: 'Help desk',
      content: html`<h1>Not signed in at the help desk</h1>
        <p role="alert">${sentence} <a href="/login/support">Sign in again</a></p>`,
    },
  };
}
