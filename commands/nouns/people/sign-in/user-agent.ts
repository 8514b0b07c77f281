import Bowser from 'bowser';

/**
 * Returns the browser and operating system, such as `Chrome 131 · Windows`, or undefined for other programs. Use it
 * only for display, because a client can send any value.
 */
export function browserText(userAgent: string): string | undefined {
  if (userAgent === '') return undefined;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const product = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ');
  return [product, platform.model ?? os.name].filter(Boolean).join(' · ') || undefined;
}
