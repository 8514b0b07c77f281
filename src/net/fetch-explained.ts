/** Maximum length of a message from a response's text (spec 8). */
const MAX_LENGTH = 1000;

/**
 * Fetches, and copies the text of a non-gRPC error, for example from a proxy, into the header where the transport looks
 * for the message. Skips HTML pages, which are not readable messages.
 */
export async function fetchExplained(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const { ok, status, headers } = response;
  if (
    ok ||
    headers.has('grpc-message') ||
    headers.has('grpc-status') ||
    /html/i.test(headers.get('content-type') ?? '')
  )
    return response;
  const text = truncate((await response.text()).trim());
  const explainedHeaders = new Headers(headers);
  if (text !== '') explainedHeaders.set('grpc-message', encodeURIComponent(text));
  return new Response(null, { status, headers: explainedHeaders });
}

/** Truncates without splitting a surrogate pair. */
function truncate(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
}
