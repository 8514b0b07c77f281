/**
 * Changes custom headers. Responses blank out the values (not specified in the contract). Clients send back the headers
 * that they have read, so a blank value for an existing name keeps the stored value.
 */
import { openIfSealed } from '#server/base/secrets.ts';
import type { Sealer } from '#server/base/secrets.ts';
import { type Headers, storedHeader } from '#server/publishing/targets/webhook/headers.ts';
import type { WebhookRow, WebhookValues } from '#server/publishing/targets/webhook/rows.ts';
import { DEFAULT_SIGNATURE_HEADER } from '#server/publishing/targets/webhook/signature.ts';
import { failedPrecondition, invalidArgument, summarizeList } from '#server/wire/errors.ts';

import { checkHeaderName, checkHeaders } from './check.ts';
import type { WebhookChange } from './settings.ts';

interface ResolvedHeaders {
  readonly values: Pick<WebhookValues, 'customHeaders' | 'hmacHeaderName'>;
  /** Names of headers that keep their stored values because the change contains no new values for them. */
  readonly unchangedNames: readonly string[];
}

/**
 * Computes the new headers. These are the replacement headers, or else the stored headers without the removed ones, and
 * the added headers. Ignores the case of names.
 */
export function readHeaders(
  secrets: Sealer,
  row: Pick<WebhookRow, 'customHeaders' | 'hmacHeaderName'>,
  change: WebhookChange,
): ResolvedHeaders {
  const { addHeaders = {}, removeHeaders = [], replaceHeaders = {}, hmacHeaderName } = change;
  const storedHeaders = row.customHeaders;
  const hasReplacement = Object.keys(replaceHeaders).length > 0;
  const hasChanges = hasReplacement || removeHeaders.length > 0 || Object.keys(addHeaders).length > 0;
  if (!hasChanges && hmacHeaderName === undefined) return { values: {}, unchangedNames: Object.keys(storedHeaders) };
  const signatureHeader = hmacHeaderName?.trim() ?? row.hmacHeaderName;
  if (signatureHeader !== '') checkHeaderName(signatureHeader);

  const removedNames = new Set([...removeHeaders, ...Object.keys(addHeaders)].map((name) => name.toLowerCase()));
  const retainedNames = hasReplacement
    ? []
    : Object.keys(storedHeaders).filter((name) => !removedNames.has(name.toLowerCase()));
  const input = { ...(hasReplacement ? replaceHeaders : {}), ...addHeaders };
  const newHeaders = { ...Object.fromEntries(retainedNames.map((name) => [name, ''])), ...input };
  checkHeaders(newHeaders, signatureHeader || DEFAULT_SIGNATURE_HEADER);
  const customHeaders = Object.fromEntries(
    Object.entries(newHeaders).map(([name, value]) => [name, sealValue(secrets, storedHeaders, name, value)]),
  );
  const unchangedNames = Object.keys(newHeaders).filter((name) => newHeaders[name] === '');
  return { values: { customHeaders, hmacHeaderName: signatureHeader }, unchangedNames };
}

/** Seals a header value. Keeps the ciphertext of an unchanged value because a new one would count as a change. */
function sealValue(secrets: Sealer, storedHeaders: Headers, name: string, value: string): string {
  const storedValue = storedHeader(storedHeaders, name);
  if (value === '') {
    if (storedValue !== undefined) return storedValue;
    throw invalidArgument(
      `The header ${name} needs a value. A blank value keeps the stored value, but this header has none.`,
    );
  }
  return storedValue !== undefined && openIfSealed(secrets, storedValue) === value ? storedValue : secrets.seal(value);
}

/**
 * Rejects a new host while stored header values would be sent to it. Nobody may read these values, but the editor might
 * control the host.
 *
 * @throws ConnectError FAILED_PRECONDITION
 */
export function rejectNewHost(before: string, after: string, unchangedNames: readonly string[]): void {
  if (unchangedNames.length === 0 || before === '' || new URL(before).origin === new URL(after).origin) return;
  throw failedPrecondition(
    `The new URL is on another host, which would receive the stored values of ${summarizeList(unchangedNames)}. Enter these headers again with the URL, or remove them.`,
  );
}
