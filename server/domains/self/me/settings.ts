import { Code, ConnectError } from '@connectrpc/connect';

/** Every call reads the caller's settings, so they must stay small. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * Checks the settings. The console defines their content. The server only requires a JSON object, and replaces the
 * settings as a whole (not specified in the contract).
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
export function readSettings(text: string): string {
  if (text.length > MAX_CHARACTERS) {
    throw invalid(`can have at most ${MAX_CHARACTERS} characters, and these have ${text.length}`);
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
