import type { Page } from '@playwright/test';
import { build, preview } from 'vite';

import { candidate } from '#commands/text/score.ts';
import { createSearcher } from '#src/search/searcher.ts';

import { type Bench, percentile, type Row } from './bench.ts';
import { withBrowserPage } from './browser.ts';
import { createStrings } from './palette/strings.ts';

const SUBJECTS = { empty: '?subject=empty&items=1', few: '?items=100', many: '?items=10000' } as const;
type Subject = keyof typeof SUBJECTS;

const ROUNDS = 6;
const OPENINGS = 8;
const QUERY = 'dvcjol';

interface Round {
  readonly firstOpen: number;
  readonly opens: number[];
  readonly keys: number[];
  readonly elements: number;
}

/** Waits until the effect of a key is painted, then until a random point in a frame. */
const waitUntilSettled = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20 + Math.random() * 20))),
  );

/** Measures the milliseconds from a key until its effect is painted. */
async function measureKey(page: Page, key: string): Promise<number> {
  await page.evaluate(() => {
    probe.keys = [];
  });
  await page.keyboard.press(key);
  await waitUntilSettled(page);
  const [ms] = await page.evaluate(() => probe.keys);
  if (ms === undefined) throw new Error(`The page did not receive the key ${key}.`);
  return ms;
}

async function measureRound(page: Page, address: string): Promise<Round> {
  await page.goto(address);
  await page.waitForSelector('[data-ready]');
  // The console builds its index when it is idle, as it is when a user opens the palette for the first time.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await waitUntilSettled(page);
  const [opens, keys]: [number[], number[]] = [[], []];
  let firstOpen = 0;
  let elements = 0;
  for (let i = 0; i < OPENINGS; i++) {
    const open = await measureKey(page, 'F8');
    const letters: number[] = [];
    for (const letter of QUERY) letters.push(await measureKey(page, letter));
    // The first opening on a page runs code that isn't compiled yet, so it has a row of its own.
    if (i === 0) firstOpen = open;
    else {
      opens.push(open);
      keys.push(...letters);
    }
    elements = Math.max(elements, await page.evaluate(() => document.querySelectorAll('dialog *').length));
    await page.keyboard.press('Escape');
    await waitUntilSettled(page);
  }
  return { firstOpen, opens, keys, elements };
}

/**
 * Returns the milliseconds of the slowest of various queries over 1,000 strings of 80 letters, as the median of ten.
 */
function slowestQuery(): number {
  const lists = [
    createStrings(1000, 80),
    Array.from({ length: 1000 }, () => 'a'.repeat(80)),
    Array.from({ length: 1000 }, () => 'ab '.repeat(26)),
  ];
  const queries = [
    'e',
    QUERY,
    'device tag assign casing pressure',
    'a'.repeat(80),
    `${'a'.repeat(39)}b`,
    'ab'.repeat(20),
    'b a b a b a b a',
  ];
  const times = lists.flatMap((item) => {
    const candidates = item.map((text) => candidate(text));
    return queries.map((query) => {
      const durations = Array.from({ length: 20 }, () => {
        const searcher = createSearcher(candidates);
        const startedAt = performance.now();
        searcher.search(query, 200);
        return performance.now() - startedAt;
      });
      return percentile(durations.slice(10), 50);
    });
  });
  return Math.max(...times);
}

async function measure(page: Page, address: string): Promise<Row[]> {
  const rounds: Record<Subject, Round[]> = { empty: [], few: [], many: [] };
  for (let i = -1; i < ROUNDS; i++) {
    for (const subject of Object.keys(SUBJECTS) as Subject[]) {
      const result = await measureRound(page, address + SUBJECTS[subject]);
      // The first round only warms up.
      if (i >= 0) rounds[subject].push(result);
    }
  }
  type Pick = (round: Round) => number | number[];
  const percentileOf = (subject: Subject, percent: number, pick: Pick) =>
    percentile(rounds[subject].flatMap(pick), percent);
  const opens: Pick = (round) => round.opens;
  const keys: Pick = (round) => round.keys;
  const row = (name: string, unit: Row['unit'], value: number, baseline: number, target: number): Row => ({
    name,
    unit,
    value,
    baseline,
    target,
  });
  /** Returns a row that compares 10,000 items with an empty page, in ms. */
  const emptyRow = (name: string, percent: number, pick: Pick, target: number): Row => ({
    name: `${name} p${percent} vs an empty page`,
    unit: 'ms',
    value: percentileOf('many', percent, pick),
    baseline: percentileOf('empty', percent, pick),
    target,
  });
  return [
    emptyRow('first open', 50, (round) => round.firstOpen, 1.2),
    emptyRow('open', 50, opens, 1.2),
    row('open p50 vs 100 items', 'ms', percentileOf('many', 50, opens), percentileOf('few', 50, opens), 1.2),
    emptyRow('key to results', 50, keys, 1.3),
    emptyRow('key to results', 95, keys, 1.3),
    row('key to results maximum vs 33 ms', 'ms', percentileOf('many', 100, keys), 33, 1),
    row(
      'elements vs 50',
      'elements',
      percentileOf('many', 100, (round) => round.elements),
      50,
      1,
    ),
    {
      ...row('slowest query over 1,000 strings of 80 letters vs 3 ms', 'ms', slowestQuery(), 3, 1),
      isWorkBudget: true,
    },
  ];
}

export const bench: Bench = {
  title: 'Palette: 10,000 items, compared with an empty page and 100 items',
  async run() {
    const configFile = 'tests/bench/palette/vite.config.ts';
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
