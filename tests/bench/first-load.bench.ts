import { withBrowserPage } from './browser.ts';
import { withServer } from './server.ts';
import type { Bench } from './bench.ts';

/** What may travel before a person can do something, compressed: scripts and styles, without fonts. */
const budgetKb = 260;

export const bench: Bench = {
  title: 'First load, until the sign-in form can be typed in',
  run: () =>
    withServer(['--devices', '10', '--rate', '0'], (address) =>
      withBrowserPage(async (page) => {
        const loaded: Promise<number>[] = [];
        page.on('requestfinished', (request) => {
          if (!['script', 'stylesheet', 'document'].includes(request.resourceType())) return;
          loaded.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
        });
        await page.goto(address);
        await page.getByLabel('Email').waitFor();
        const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
        return [{ name: 'scripts and styles, gzip', unit: 'KB', value: bytes / 1024, baseline: budgetKb, target: 1 }];
      }),
    ),
};
