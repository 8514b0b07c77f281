/** The query string of a URL. */
export interface Search {
  /** Set only while the user acts for an organization other than their own. */
  readonly organization?: string;
  /** Canonical filter text, including the sort. */
  readonly filter?: string;
  /** The stack of open items as `entity/id`, the topmost last. */
  readonly panel?: readonly string[];
  /** Set if the topmost item fills the screen. Text, because the router's latest location is not validated. */
  readonly full?: typeof FULL;
  /** The tab of the topmost item. */
  readonly tab?: string;
  /** The fields in the chart of the topmost item's values. */
  readonly chart?: readonly string[];
  /** The period of the chart. */
  readonly range?: string;
  /** The visible part of the period: two times in UTC. */
  readonly zoom?: string;
  /** A command line to open. */
  readonly run?: string;
  /** The destination to continue to after sign-in and its steps. */
  readonly redirect?: string;
  /** The action of a link in an email from the identity provider. */
  readonly mode?: string;
  /** The code of a link in an email from the identity provider. */
  readonly oobCode?: string;
}

/** The value of {@link Search.full}. */
export const FULL = 'true' as const;

/** The parameters of a chart, all unset. */
export const NO_CHART = { chart: undefined, range: undefined, zoom: undefined };

// No library parses the query, because lists are the only nesting, and a library would add 3% to the sign-in form's
// script.

/** Maximum number of parameters in a query (spec 9). */
const MAX_PARAMETERS = 1000;
/** Maximum number of items in a list (spec 9). */
const MAX_ITEMS = 20;

/** The name of a parameter, such as `tab` or `panel[0]`. */
const NAME = /^(\w+)(?:\[(\d*)\])?$/;

/**
 * Parses indexed array notation (spec 2): `panel[0]=device/24F091C7`. A repeated parameter is a list. Ignores malformed
 * names.
 */
export function parseSearch(text: string): Record<string, unknown> {
  const itemsByName = new Map<string, { readonly index: number | undefined; readonly value: string }[]>();
  for (const [parameter, value] of [...new URLSearchParams(text)].slice(0, MAX_PARAMETERS)) {
    const [, name, index] = NAME.exec(parameter) ?? [];
    if (name === undefined || Number(index ?? 0) >= MAX_ITEMS) continue;
    itemsByName.set(name, [
      ...(itemsByName.get(name) ?? []),
      { index: index === undefined ? undefined : Number(index), value },
    ]);
  }
  return Object.fromEntries(
    [...itemsByName].map(([name, items]) => {
      const [first] = items;
      if (items.length === 1 && first?.index === undefined) return [name, first?.value];
      return [name, items.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ value }) => value)];
    }),
  );
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = Object.entries(search).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((item, index) => `${name}[${index}]=${encode(item)}`);
    return value === undefined || value === null ? [] : [`${name}=${encode(value)}`];
  });
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

/** Leaves harmless characters unescaped, to keep URLs readable and easy to type. */
function encode(text: unknown): string {
  return encodeURIComponent(String(text)).replace(/%(3A|2F|2C|5B|5D|40|20)/gi, (code) =>
    code === '%20' ? '+' : decodeURIComponent(code),
  );
}

/** Keeps only known parameters of the right type, because a URL is untrusted input. */
export function validateSearch(raw: Record<string, unknown>): Search {
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const strings = (value: unknown): readonly string[] =>
    (Array.isArray(value) ? value : []).filter((item): item is string => typeof item === 'string' && item !== '');
  const panel = strings(raw['panel']).filter((item) => item.includes('/'));
  const chart = strings(raw['chart']);
  const search: Record<string, unknown> = {
    organization: text(raw['organization']),
    filter: text(raw['filter']),
    panel: panel.length > 0 ? panel : undefined,
    full: panel.length > 0 && raw['full'] === FULL ? FULL : undefined,
    tab: text(raw['tab']),
    chart: chart.length > 0 ? chart : undefined,
    range: text(raw['range']),
    zoom: text(raw['zoom']),
    run: text(raw['run']),
    redirect: text(raw['redirect']),
    mode: text(raw['mode']),
    oobCode: text(raw['oobCode']),
  };
  // Keep invalid parameters as undefined, because the router would fill in missing ones with the original values.
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined || Object.hasOwn(raw, name)),
  );
}
