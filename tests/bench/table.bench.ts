import type { CDPSession, Page } from '@playwright/test';
import { build, preview } from 'vite';
import { type Bench, percentile, type Row } from './bench.ts';
import { withBrowserPage } from './browser.ts';

type Subject = 'table' | 'pool' | 'empty';

const SUBJECTS: readonly Subject[] = ['empty', 'pool', 'table'];
const ROUNDS = 5;
const KEYS = 40;
const FRAME = 1000 / 60;

interface Round {
  firstRows: number;
  keys: number[];
  frames: number[];
  taskPerScreen: number;
  selectAll: number;
}

/** Long enough for what a key caused to be painted and done; the next key comes at any moment of a frame. */
const settled = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20 + Math.random() * 20))),
  );

async function taskSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0;
}

/** ms from each key to after the paint that it caused. */
async function pressed(page: Page, key: string, times: number): Promise<number[]> {
  await page.evaluate(() => {
    probe.keys = [];
  });
  for (let i = 0; i < times; i++) {
    await page.keyboard.press(key);
    await settled(page);
  }
  return page.evaluate(() => probe.keys);
}

async function round(page: Page, devtools: CDPSession, url: string): Promise<Round> {
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('first rows').length > 0);
  const firstRows = await page.evaluate(() => performance.getEntriesByName('first rows')[0]?.duration ?? 0);
  await pressed(page, 'j', 5);
  const keys = await pressed(page, 'j', KEYS);
  const frames = await page.evaluate(() => probe.fling(120, 640));
  const before = await taskSeconds(devtools);
  await pressed(page, 'PageDown', KEYS);
  const taskPerScreen = ((await taskSeconds(devtools)) - before) * (1000 / KEYS);
  const selectAll = percentile(await pressed(page, 'a', 5), 50);
  return { firstRows, keys, frames, taskPerScreen, selectAll };
}

/** Pages painted of 60 PageDowns at 30 Hz, which is a key held down. */
async function heldPageDown(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('first rows').length > 0);
  return page.evaluate(() => probe.hold('PageDown', 60));
}

async function heapMB(page: Page, devtools: CDPSession, url: string): Promise<number> {
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('first rows').length > 0);
  await page.evaluate(() => probe.fling(60, 4_000));
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

async function measure(page: Page, address: string): Promise<Row[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const url = (subject: Subject, rows: number) => `${address}?subject=${subject}&rows=${rows}`;
  const rounds: Record<Subject, Round[]> = { empty: [], pool: [], table: [] };
  const million: number[] = [];
  for (let i = -1; i < ROUNDS; i++) {
    for (const subject of SUBJECTS) {
      const result = await round(page, devtools, url(subject, 100_000));
      // The first round only warms up.
      if (i >= 0) rounds[subject].push(result);
    }
    const { firstRows } = await round(page, devtools, url('table', 1_000_000));
    if (i >= 0) million.push(firstRows);
  }
  const p = (subject: Subject, percent: number, pick: (one: Round) => number | number[]) =>
    percentile(
      rounds[subject].flatMap((one) => pick(one)),
      percent,
    );
  const pool = await heldPageDown(page, url('pool', 100_000));
  const held = await heldPageDown(page, url('table', 100_000));
  const heap =
    (await heapMB(page, devtools, url('table', 1_000_000))) - (await heapMB(page, devtools, url('empty', 1)));
  const row = (name: string, value: number, baseline: number, target: number, unit: Row['unit'] = 'ms'): Row => ({
    name,
    unit,
    value,
    baseline,
    target,
  });
  return [
    row(
      'first rows, 1M to 100k',
      percentile(million, 50),
      p('table', 50, (one) => one.firstRows),
      1.3,
    ),
    row(
      'first rows, to DOM pool',
      p('table', 50, (one) => one.firstRows),
      p('pool', 50, (one) => one.firstRows),
      2,
    ),
    row(
      'key to paint p50, to empty',
      p('table', 50, (one) => one.keys),
      p('empty', 50, (one) => one.keys),
      1.1,
    ),
    row(
      'key to paint p95, to empty',
      p('table', 95, (one) => one.keys),
      p('empty', 95, (one) => one.keys),
      1.1,
    ),
    row(
      'fling frame p95, to a frame',
      p('table', 95, (one) => one.frames),
      FRAME,
      1.05,
    ),
    row(
      'fling frame worst, to 50 ms',
      p('table', 100, (one) => one.frames),
      50,
      1,
    ),
    row(
      'task per screen, to DOM pool',
      p('table', 50, (one) => one.taskPerScreen),
      p('pool', 50, (one) => one.taskPerScreen),
      1.15,
    ),
    row(
      'select all, to DOM pool',
      p('table', 50, (one) => one.selectAll),
      p('pool', 50, (one) => one.selectAll),
      1.5,
    ),
    row('PageDown at 30 Hz, painted by the pool and here', pool, held, 1, 'pages'),
    row('heap at 1M, to 5 MB', heap, 5, 1, 'MB'),
  ];
}

export const bench: Bench = {
  title: 'Table: 100k and 1M rows, beside an empty page and a plain DOM pool',
  async run() {
    const configFile = 'tests/bench/table/vite.config.ts';
    await build({ configFile });
    const server = await preview({ configFile });
    try {
      const address = server.resolvedUrls?.local[0];
      if (!address) throw new Error('The preview of the bench page has no address.');
      return await withBrowserPage((page) => measure(page, address));
    } finally {
      await server.close();
    }
  },
};
