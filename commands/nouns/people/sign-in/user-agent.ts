/** A browser or other client, and its operating system; unknown parts are absent. */
export interface Agent {
  readonly product?: string;
  readonly system?: string;
}

/** Browser patterns, the most specific first: a browser's user agent also names other browsers. */
const PRODUCTS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* .*Safari\//, 'Safari'],
  [/^node(?:\/v?(\d+))?/i, 'Node.js'],
  [/\bgrpc-([a-z]+)/i, 'gRPC'],
  [/^curl\/(\d+)/, 'curl'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** Parses a `User-Agent`. For display only: a client can send any value. */
export function parseUserAgent(userAgent: string): Agent {
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const product = parseProduct(userAgent);
  return { ...(product ? { product } : {}), ...(system ? { system } : {}) };
}

function parseProduct(userAgent: string): string | undefined {
  for (const [pattern, name] of PRODUCTS) {
    const match = pattern.exec(userAgent);
    if (match) return [name, match[1]].filter(Boolean).join(' ');
  }
  return undefined;
}
