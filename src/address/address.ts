import qs from 'qs';

/**
 * What the address holds beside the path. `organization` only while acting for another one; `filter` is canonical
 * filter text with its sort; `panel` is the stack of open items as `entity/id`, the topmost last; `tab` is the tab of
 * the topmost; `run` is a command line to open.
 */
export interface Search {
  readonly organization?: string;
  readonly filter?: string;
  readonly panel?: readonly string[];
  readonly tab?: string;
  readonly run?: string;
  /** Where to go on after the screens before the console. */
  readonly redirect?: string;
  /** Of the links in the identity provider's mails: what for, and the proof. */
  readonly mode?: string;
  readonly oobCode?: string;
}

/** Spec 9: limits of query parsing. */
const LIMITS = { arrayLimit: 20, depth: 5, parameterLimit: 1000 } as const;

/** Query strings are in indexed array notation (spec 2): `panel[0]=device/24F091C7`. */
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

/** Leaves what is readable and harmless in a query readable, so that an address can be read and typed. */
function encoder(text: unknown): string {
  return encodeURIComponent(String(text)).replace(/%(3A|2F|2C|5B|5D|40|20)/gi, (code) =>
    code === '%20' ? '+' : decodeURIComponent(code),
  );
}

/** Takes only what is ours, in the shape it must have: anything in an address may have been typed by anyone. */
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
  // What is not as it must be stays as undefined: the router would put what was typed in place of what is left out.
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined || Object.hasOwn(raw, name)),
  );
}
