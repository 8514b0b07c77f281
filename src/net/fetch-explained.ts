/** Spec 8: as much of an answer's text as a message holds. */
const LONGEST = 1000;

/**
 * Fetches, and lets the text of a refusal that is none of gRPC (from a proxy, say) be read as its message: the
 * transport looks for it in a header. A page of HTML is for a browser, not for a sentence.
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
  const text = cut((await response.text()).trim());
  const explained = new Headers(headers);
  if (text !== '') explained.set('grpc-message', encodeURIComponent(text));
  return new Response(null, { status, headers: explained });
}

/** Without half a character at its end. */
function cut(text: string): string {
  return text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');
}
