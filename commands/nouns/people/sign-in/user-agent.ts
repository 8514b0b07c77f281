/** How a browser or program calls itself, in words; a part that is not known is absent. */
export interface Agent {
  readonly program?: string;
  readonly system?: string;
}

/** What names a browser, the most telling first: all of them claim to be others as well. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
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

/** Reads a `User-Agent`. It is only ever shown: nothing may depend on what a client says of itself. */
export function agentOf(userAgent: string): Agent {
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const program = programOf(userAgent);
  return { ...(program ? { program } : {}), ...(system ? { system } : {}) };
}

function programOf(userAgent: string): string | undefined {
  for (const [pattern, name] of PROGRAMS) {
    const found = pattern.exec(userAgent);
    if (found) return [name, found[1]].filter(Boolean).join(' ');
  }
  return undefined;
}
