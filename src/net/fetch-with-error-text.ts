/** Maximum length of a message from a response's text (spec 8). */
const MAX_LENGTH = 1000;

/**
 * Like `fetch`, but copies the text of a non-gRPC error, such as one from a proxy, into the header that the transport
 * reads the message from. Skips HTML pages, which aren't readable messages.
 */
export async function fetchWithErrorText(...request: Parameters<typeof fetch>): Promise<Response> {
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
  const newHeaders = new Headers(headers);
  if (text !== '') newHeaders.set('grpc-message', encodeURIComponent(text));
  return new Response(null, { status, headers: newHeaders });
}

/** Truncates without splitting a surrogate pair. */
function truncate(text: string): string {
  return text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
}
