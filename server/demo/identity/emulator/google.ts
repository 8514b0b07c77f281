import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { UnsecuredJWT } from 'jose';

import { isEmailAddress } from '#commands/text/email.ts';
import { googlePages } from '#server/identity/operations.ts';

import type { EmulatorModules, ProjectState } from './emulator-api.ts';
import { chooserPage, signedInPage, type GoogleAccount, type PageUrls, POST_BACK } from './google-pages.ts';

const PROVIDER = 'google.com';

/** Supports Google as the only external provider, and only if users may sign in with it. */
export function allowOnlyGoogle({ operations, EmulatorError }: EmulatorModules, allowGoogle: boolean): void {
  const { accounts } = operations.identitytoolkit;
  const { signInWithIdp } = accounts;
  accounts.signInWithIdp = (state, body, context) => {
    const { postBody } = body;
    if (!allowGoogle || new URLSearchParams(String(postBody)).get('providerId') !== PROVIDER) {
      throw new EmulatorError('OPERATION_NOT_ALLOWED : The identity provider configuration is not found.');
    }
    return signInWithIdp(state, body, context);
  };
}

const [[, path], , [, script]] = googlePages;

/** The maximum size of a form, which contains only a name and an address. */
const MAX_BYTES = 4096;

/**
 * Handles a request for one of the window's pages.
 *
 * @returns false for any other request
 */
export type GooglePages = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Serves the window where users choose a Google account. They can make up any account because this provider serves only
 * demo projects.
 */
export function serveGoogleWindow(project: ProjectState, stylesheets: readonly string[]): GooglePages {
  const urls = { path, script, stylesheets };
  return (request, response) => handleRequest(project, urls, request, response);
}

function handleRequest(
  project: ProjectState,
  urls: PageUrls,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const [requestPath = ''] = (request.url ?? '').split('?', 1);
  if (requestPath === script) {
    response.setHeader('content-type', 'text/javascript; charset=utf-8');
    response.end(POST_BACK);
    return true;
  }
  if (requestPath !== path) return false;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  if (request.method === 'POST') void handleForm(project, urls, request, response);
  else response.end(chooserPage(urls, listAccounts(project)));
  return true;
}

async function handleForm(
  project: ProjectState,
  urls: PageUrls,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const form = new URLSearchParams(await readText(request));
  const accounts = listAccounts(project);
  const input = { email: (form.get('email') ?? '').trim().toLowerCase(), name: (form.get('name') ?? '').trim() };
  const account = accounts.find(({ email }) => email === form.get('account')) ?? input;
  if (isEmailAddress(account.email)) {
    response.end(signedInPage(urls, account, createIdToken(account)));
    return;
  }
  response.statusCode = 400;
  response.end(chooserPage(urls, accounts, input));
}

const listAccounts = (project: ProjectState): GoogleAccount[] =>
  project
    .listProviderInfosByProviderId(PROVIDER)
    .flatMap(({ email, displayName = '' }) => (email === undefined ? [] : [{ email, name: displayName }]));

/** Creates a token like Google's, but unsigned, which the emulator accepts. */
function createIdToken({ email, name }: GoogleAccount): string {
  // Google identifies accounts by number, so an address must always get the same number.
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

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BYTES) return '';
  }
  return text;
}
