import { Code, ConnectError } from '@connectrpc/connect';

/** Settings are read with every sign-in, so they stay small. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * The settings are the console's own and opaque here; replacing them whole, and refusing what is not a JSON object, is
 * our choice (contract: CurrentUserService, not stated).
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
export function settingsJson(text: string): string {
  if (text.length > MAX_CHARACTERS) {
    throw invalid(`may be ${MAX_CHARACTERS} characters long, and these have ${text.length}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('must be a JSON object');
  return text;
}

const invalid = (rule: string) => new ConnectError(`Mission control settings ${rule}.`, Code.InvalidArgument);
