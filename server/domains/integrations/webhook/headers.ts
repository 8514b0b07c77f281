/**
 * Changes of custom headers. Answers show their values blank, and clients send back what they read; so a blank value
 * for a name that is there keeps what is stored (not stated by the contract, which has the values in its answers).
 */
import { type Headers, storedHeader } from '#server/publishing/targets/webhook/headers.ts';
import { openedValue } from '#server/base/secrets.ts';
import { DEFAULT_SIGNATURE_HEADER } from '#server/publishing/targets/webhook/signature.ts';
import type { WebhookRow, WebhookValues } from '#server/publishing/targets/webhook/rows.ts';
import type { Sealer } from '#server/base/secrets.ts';
import { failedPrecondition, invalidArgument, some } from '#server/wire/errors.ts';
import { checkHeaderName, checkHeaders } from './check.ts';
import type { WebhookChange } from './settings.ts';

interface SettledHeaders {
  readonly values: Pick<WebhookValues, 'customHeaders' | 'hmacHeaderName'>;
  /** Names of headers whose stored values stay, without having been given again. */
  readonly kept: readonly string[];
}

/**
 * The whole set when it is replaced, else what is there without what is removed; then what is added. Names ignore
 * case.
 */
export function readHeaders(
  secrets: Sealer,
  row: Pick<WebhookRow, 'customHeaders' | 'hmacHeaderName'>,
  change: WebhookChange,
): SettledHeaders {
  const { addHeaders = {}, removeHeaders = [], replaceHeaders = {}, hmacHeaderName } = change;
  const stored = row.customHeaders;
  const replaces = Object.keys(replaceHeaders).length > 0;
  const changes = replaces || removeHeaders.length > 0 || Object.keys(addHeaders).length > 0;
  if (!changes && hmacHeaderName === undefined) return { values: {}, kept: Object.keys(stored) };
  const signatureHeader = hmacHeaderName?.trim() ?? row.hmacHeaderName;
  if (signatureHeader !== '') checkHeaderName(signatureHeader);

  const removed = new Set([...removeHeaders, ...Object.keys(addHeaders)].map((name) => name.toLowerCase()));
  const untouched = replaces ? [] : Object.keys(stored).filter((name) => !removed.has(name.toLowerCase()));
  const given = { ...(replaces ? replaceHeaders : {}), ...addHeaders };
  const wanted = { ...Object.fromEntries(untouched.map((name) => [name, ''])), ...given };
  checkHeaders(wanted, signatureHeader || DEFAULT_SIGNATURE_HEADER);
  const customHeaders = Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => [name, sealedValue(secrets, stored, name, value)]),
  );
  const kept = Object.keys(wanted).filter((name) => wanted[name] === '');
  return { values: { customHeaders, hmacHeaderName: signatureHeader }, kept };
}

/** What is stored stays as it is when the value is the same, so that it counts as unchanged. */
function sealedValue(secrets: Sealer, stored: Headers, name: string, value: string): string {
  const before = storedHeader(stored, name);
  if (value === '') {
    if (before !== undefined) return before;
    throw invalidArgument(
      `The header ${name} needs a value. Values are never shown, and an empty one keeps what is stored, which here is nothing.`,
    );
  }
  return before !== undefined && openedValue(secrets, before) === value ? before : secrets.seal(value);
}

/**
 * Values that nobody may read must not be sent to a host of the editor's choice, which would be a way to read them.
 *
 * @throws ConnectError FAILED_PRECONDITION
 */
export function refuseNewHost(before: string, after: string, kept: readonly string[]): void {
  if (kept.length === 0 || before === '' || new URL(before).origin === new URL(after).origin) return;
  throw failedPrecondition(
    `The new URL is on another host, which would be sent the stored values of ${some(kept)}. Give these headers again with the URL, or remove them.`,
  );
}
