import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import type { ConsoleLocation } from '#commands/model/host.ts';
import { p, required } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';

/** Goes to a URL of this console, with or without the origin: `/devices?filter=health%3AERROR`. */
export const go = command({
  id: 'app.go',
  effect: 'navigate',
  needs: ['navigate'],
  params: {
    address: required(
      p.text({
        placeholder: '/devices?filter=health:ERROR',
        check: (address) => (parseUrl(address) ? undefined : message('app:invalidUrl')),
      }),
    ),
  },
  positional: ['address'],
  run: async (context, { address }) => {
    const location = parseUrl(address);
    if (location) requireCapability(context, 'navigate')(location);
    return {};
  },
});

/** Parses a URL into a location in the console. Undefined if the URL is invalid. */
export function parseUrl(address: string): ConsoleLocation | undefined {
  const [, path, query = ''] =
    /^(?:https?:\/\/[^/?#\s]+)?(\/[^?#\s]*)(?:\?([^#\s]*))?(?:#\S*)?$/.exec(address.trim()) ?? [];
  if (path === undefined) return undefined;
  try {
    return { path: decodeURI(path), search: parseQuery(query) };
  } catch {
    // The URL contains a malformed percent escape.
    return undefined;
  }
}

/** Parses a query string. A name with an index (`panel[0]`) adds to a list. */
function parseQuery(query: string): Readonly<Record<string, string | readonly string[]>> {
  const search: Record<string, string | string[]> = {};
  for (const part of query.split('&').filter(Boolean)) {
    const separator = part.includes('=') ? part.indexOf('=') : part.length;
    const [name, value] = [part.slice(0, separator), part.slice(separator + 1)].map((text) =>
      decodeURIComponent(text.replaceAll('+', ' ')),
    ) as [string, string];
    const list = /^(.*)\[\d*\]$/.exec(name)?.[1];
    const current = list === undefined ? undefined : search[list];
    if (list === undefined) search[name] = value;
    else search[list] = [...(Array.isArray(current) ? current : []), value];
  }
  return search;
}
