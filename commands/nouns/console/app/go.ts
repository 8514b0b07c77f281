import { command } from '#commands/model/command.ts';
import { need } from '#commands/model/context.ts';
import type { Place } from '#commands/model/host.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';

/** An address of this console, as the address bar has it or without its beginning: `/devices?filter=health%3AERROR`. */
export const go = command({
  id: 'app.go',
  effect: 'navigate',
  needs: ['navigate'],
  params: {
    address: required(p.text({ check: (address) => (placeOf(address) ? undefined : message('app:notAddress')) })),
  },
  positional: ['address'],
  run: async (context, { address }) => {
    const place = placeOf(address);
    if (place) need(context, 'navigate')(place);
    return {};
  },
});

/** The place that an address names; undefined where it is none. */
export function placeOf(address: string): Place | undefined {
  const [, path, query = ''] =
    /^(?:https?:\/\/[^/?#\s]+)?(\/[^?#\s]*)(?:\?([^#\s]*))?(?:#\S*)?$/.exec(address.trim()) ?? [];
  if (path === undefined) return undefined;
  try {
    return { path: decodeURI(path), search: searchOf(query) };
  } catch {
    // An escape that stands for no letter.
    return undefined;
  }
}

/** The values of a query by name; those that stand in a list (`panel[0]`) as lists. */
function searchOf(query: string): Readonly<Record<string, string | readonly string[]>> {
  const search: Record<string, string | string[]> = {};
  for (const part of query.split('&').filter(Boolean)) {
    const at = part.includes('=') ? part.indexOf('=') : part.length;
    const [name, value] = [part.slice(0, at), part.slice(at + 1)].map((text) =>
      decodeURIComponent(text.replaceAll('+', ' ')),
    ) as [string, string];
    const list = /^(.*)\[\d*\]$/.exec(name)?.[1];
    const before = list === undefined ? undefined : search[list];
    if (list === undefined) search[name] = value;
    else search[list] = [...(Array.isArray(before) ? before : []), value];
  }
  return search;
}
