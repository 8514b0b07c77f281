import qs from 'qs';

/**
 * The query of a URL. `organization` is set only while acting for an organization other than one's own; `filter` is
 * canonical filter text including the sort; `panel` is the stack of open items as `entity/id`, the topmost last; `tab`
 * is the tab of the topmost item; `run` is a command line to open.
 */
export interface Search {
  readonly organization?: string;
  readonly filter?: string;
  readonly panel?: readonly string[];
  readonly tab?: string;
  readonly run?: string;
  /** The destination to continue to after sign-in and its steps. */
  readonly redirect?: string;
  /** The action of a link in the identity provider's email, and its code. */
  readonly mode?: string;
  readonly oobCode?: string;
}

/** Limits for parsing queries (spec 9). */
const LIMITS = { arrayLimit: 20, depth: 5, parameterLimit: 1000 } as const;

/** Parses indexed array notation (spec 2): `panel[0]=device/24F091C7`. */
export function parseSearch(text: string): Record<string, unknown> {
  return qs.parse(text, { ignoreQueryPrefix: true, ...LIMITS });
}

export function stringifySearch(search: Record<string, unknown>): string {
  return qs.stringify(search, {
    arrayFormat: 'indices',
    addQueryPrefix: true,
    skipNulls: true,
    encode: true,
    encodeValuesOnly: false,
    encoder,
  });
}

/** Leaves harmless characters unescaped, to keep URLs readable and easy to type. */
function encoder(text: unknown): string {
  return encodeURIComponent(String(text)).replace(/%(3A|2F|2C|5B|5D|40|20)/gi, (code) =>
    code === '%20' ? '+' : decodeURIComponent(code),
  );
}

/** Keeps only known parameters of the right type: a URL is untrusted input. */
export function validateSearch(raw: Record<string, unknown>): Search {
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const panel = (Array.isArray(raw['panel']) ? raw['panel'] : []).filter(
    (item): item is string => typeof item === 'string' && item.includes('/'),
  );
  const search: Record<string, unknown> = {
    organization: text(raw['organization']),
    filter: text(raw['filter']),
    panel: panel.length > 0 ? panel : undefined,
    tab: text(raw['tab']),
    run: text(raw['run']),
    redirect: text(raw['redirect']),
    mode: text(raw['mode']),
    oobCode: text(raw['oobCode']),
  };
  // Invalid parameters stay as undefined: the router would fill in missing ones with the original values.
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined || Object.hasOwn(raw, name)),
  );
}
