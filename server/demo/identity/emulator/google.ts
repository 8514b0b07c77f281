import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { UnsecuredJWT } from 'jose';
import { isEmailAddress } from '#commands/text/email.ts';
import { googlePages } from '#server/identity/operations.ts';
import type { EmulatorModules, ProjectState } from './emulator-api.ts';
import { chooserPage, chosenPage, type GoogleAccount, type Place, POST_BACK } from './google-pages.ts';

const PROVIDER = 'google.com';

/** A stand-in for one provider is no way in for others, and none when people may not sign in by Google. */
export function onlyGoogle({ operations, EmulatorError }: EmulatorModules, google: boolean): void {
  const { accounts } = operations.identitytoolkit;
  const { signInWithIdp } = accounts;
  accounts.signInWithIdp = (state, body, context) => {
    const { postBody } = body;
    if (!google || new URLSearchParams(String(postBody)).get('providerId') !== PROVIDER) {
      throw new EmulatorError('OPERATION_NOT_ALLOWED : The identity provider configuration is not found.');
    }
    return signInWithIdp(state, body, context);
  };
}

const [[, path], , [, script]] = googlePages;

/** Names and an address: a form that is larger is none of ours. */
const MAX_BYTES = 4096;

/** Takes requests for the window. @returns false when the request is for something else */
export type GooglePages = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers the window in which people choose a Google account: here one that anybody may make up, because this provider
 * serves demo projects only.
 */
export function googleWindow(project: ProjectState, stylesheets: readonly string[]): GooglePages {
  const place = { path, script, stylesheets };
  return (request, response) => answer(project, place, request, response);
}

function answer(project: ProjectState, place: Place, request: IncomingMessage, response: ServerResponse): boolean {
  const [asked = ''] = (request.url ?? '').split('?', 1);
  if (asked === script) {
    response.setHeader('content-type', 'text/javascript; charset=utf-8');
    response.end(POST_BACK);
    return true;
  }
  if (asked !== path) return false;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  if (request.method === 'POST') void answerForm(project, place, request, response);
  else response.end(chooserPage(place, accountsOf(project)));
  return true;
}

async function answerForm(
  project: ProjectState,
  place: Place,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const form = new URLSearchParams(await textOf(request));
  const known = accountsOf(project);
  const typed = { email: (form.get('email') ?? '').trim().toLowerCase(), name: (form.get('name') ?? '').trim() };
  const chosen = known.find(({ email }) => email === form.get('account')) ?? typed;
  if (isEmailAddress(chosen.email)) {
    response.end(chosenPage(place, chosen, idTokenOf(chosen)));
    return;
  }
  response.statusCode = 400;
  response.end(chooserPage(place, known, typed));
}

const accountsOf = (project: ProjectState): GoogleAccount[] =>
  project
    .listProviderInfosByProviderId(PROVIDER)
    .flatMap(({ email, displayName = '' }) => (email === undefined ? [] : [{ email, name: displayName }]));

/** As Google issues them, but unsigned: the emulator takes those. */
function idTokenOf({ email, name }: GoogleAccount): string {
  // Google numbers accounts; the same address must get the same number each time.
  const subject = BigInt(`0x${createHash('sha256').update(email).digest('hex')}`)
    .toString()
    .slice(0, 21);
  return new UnsecuredJWT({ email, email_verified: true, ...(name === '' ? {} : { name }) })
    .setIssuer('https://accounts.google.com')
    .setAudience('quarterdeck-demo')
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime('10 minutes')
    .encode();
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BYTES) return '';
  }
  return text;
}
