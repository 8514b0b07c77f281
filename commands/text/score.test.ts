import { describe, expect, test } from 'vitest';

import { candidate, match, needle, scoreOf, TIER, tierOf, withinTier } from './score.ts';

function tier(query: string, text: string, synonyms?: string): number | undefined {
  const score = scoreOf(candidate(text, synonyms), needle(query));
  return score === undefined ? undefined : tierOf(score);
}

/** Returns the matching labels, best first. */
function rank(query: string, ...labels: readonly string[]): readonly string[] {
  const scores = labels.map((text) => ({ text, score: scoreOf(candidate(text), needle(query)) ?? -Infinity }));
  return scores.toSorted((a, b) => b.score - a.score).map(({ text }) => text);
}

/** Returns the marked letters, with dots for the others. */
function markMatch(text: string, query: string): string {
  const { ranges } = match(candidate(text), needle(query)) ?? { ranges: [] };
  return [...text]
    .map((letter, index) => (ranges.some(([from, to]) => index >= from && index < to) ? letter : '.'))
    .join('');
}

describe('the tier of a match', () => {
  test.each([
    ['needs visit', 'Needs visit', TIER.exact],
    ['NEEDS', 'Needs visit', TIER.start],
    ['visit', 'Needs visit', TIER.words],
    ['visit needs', 'Needs visit', TIER.words],
    ['nv', 'Needs visit', TIER.initials],
    ['nevi', 'Needs visit', TIER.initials],
    ['hge', 'Halvorsen Geothermal', TIER.initials],
    ['halg', 'Halvorsen Geothermal', TIER.initials],
    ['hal g', 'Halvorsen Geothermal', TIER.words],
    ['devics', 'Go to devices', TIER.near],
    ['webhok', 'Edit webhooks', TIER.near],
    ['ofdevics', 'Go to devices', undefined],
    ['tgs', 'Edit tags', TIER.scattered],
    ['isit', 'Needs visit', TIER.inside],
    ['eeds visit', 'Needs visit', TIER.inside],
    ['edvt', 'Needs visit', TIER.scattered],
    ['visits', 'Needs visit', undefined],
  ])('rates %s in %s', (query, text, expected) => {
    expect(tier(query, text)).toBe(expected);
  });

  test('uses the best phrase', () => {
    expect(tier('logout', 'Sign out', 'log off\nlogout\nexit')).toBe(TIER.exact);
    expect(tier('log', 'Sign out', 'log off\nlogout')).toBe(TIER.start);
    expect(tier('out logout', 'Sign out', 'logout')).toBe(TIER.words);
  });

  test('ranks the start of a long label above the start of another name', () => {
    const score = (text: string, synonyms = ''): number => scoreOf(candidate(text, synonyms), needle('allow')) ?? 0;
    expect(score('Allow changes in this support session')).toBeGreaterThan(score('Go to rules', 'allowed domains'));
  });

  test('matches scattered letters only in the label', () => {
    expect(tier('lgt', 'Sign out', 'logout')).toBeUndefined();
    expect(tier('sgt', 'Sign out', 'logout')).toBe(TIER.scattered);
  });

  test('treats a capital as a word start', () => {
    expect(tier('tags', 'newTags')).toBe(TIER.words);
    expect(tier('ewt', 'newTags')).toBe(TIER.inside);
    expect(tier('id', 'deviceID')).toBe(TIER.words);
    expect(tier('d', 'ID')).toBe(TIER.inside);
  });

  test.each([...'/:@[`{_'])('treats a letter after %s as a word start', (sign) => {
    expect(tier('b', `x${sign}b`)).toBe(TIER.words);
  });

  test.each([...'09AZazé'])("doesn't treat a letter after %s as a word start", (letter) => {
    expect(tier('b', `-${letter}b`)).toBe(TIER.inside);
  });

  test('treats each line as a phrase', () => {
    expect(tier('devics', 'Go to\ndevices')).toBe(TIER.near);
    expect(rank('devics', 'Devices in it', 'Go to\ndevices')).toEqual(['Go to\ndevices', 'Devices in it']);
  });
});

describe('order within a tier', () => {
  test('ranks words in typed order first', () => {
    expect(rank('assign tag', 'Tag: assign', 'Assign a tag')).toEqual(['Assign a tag', 'Tag: assign']);
  });

  test('ranks a whole word before a prefix', () => {
    expect(rank('password', 'Reset passwords', 'Change my password')).toEqual([
      'Change my password',
      'Reset passwords',
    ]);
  });

  test('ranks the label before synonyms and shorter labels first', () => {
    expect(rank('dev', 'Go to it\ndevices', 'Devices in error', 'Device')).toEqual([
      'Device',
      'Devices in error',
      'Go to it\ndevices',
    ]);
  });
});

describe('a word with a missing letter', () => {
  test('marks the remaining letters and ranks shorter labels first', () => {
    expect(markMatch('Go to devices', 'devics')).toBe('......devic.s');
    expect(rank('devics', 'Edit devices of it', 'Devices in error', 'Devices')).toEqual([
      'Devices',
      'Devices in error',
      'Edit devices of it',
    ]);
  });
});

describe('the marked letters', () => {
  test.each([
    ['tip', '.......tip', 'set at tip'],
    ['at t', '....at.t..', 'set at tip'],
    ['dev go', 'Go....dev....', 'Go to devices'],
    ['ice to', '...to....ice.', 'Go to devices'],
  ])('for %j: %s', (query, expected, text) => {
    expect(markMatch(text, query)).toBe(expected);
  });

  test('come in order, with adjacent ranges merged', () => {
    const { ranges } = match(candidate('Go to devices'), needle('dev go')) ?? {};
    expect(ranges).toEqual([
      [0, 2],
      [6, 9],
    ]);
  });
});

describe('letters across words', () => {
  test('match a word start only if the remaining letters still fit after it', () => {
    // `tip` starts with the second letter, but has no `a` after it.
    expect(markMatch('set at tip', 'sta')).toBe('s.t.a.....');
    expect(markMatch('set at tip', 'sat')).toBe('s...at....');
    expect(markMatch('set at tip', 'satip')).toBe('s...a..tip');
  });
});

/**
 * These cases pin the tier, the score within the tier, and the marked letters of each kind of match, to detect any
 * change to a weight, a position, or a tie. `\n` starts another name, which the marks show as `|`.
 */
describe('the score of a match', () => {
  const candidateOf = (text: string) => {
    const [label = '', ...names] = text.split('\n');
    return candidate(label, names.join('\n'));
  };

  test.each<[query: string, text: string, expected: [tier: number, within: number, marks: string]]>([
    ['', 'Sign out', [TIER.scattered, -0.16, '........']],
    ['', 'Sign out\nlogout', [TIER.scattered, -0.16, '........|......']],
    ['sign out', 'Sign out', [TIER.exact, 2.84, 'Sign.out']],
    ['logout', 'Sign out\nlogout', [TIER.exact, -0.16, '........|logout']],
    ['sign', 'Sign out', [TIER.start, 2.04, 'Sign....']],
    ['si', 'Sign out', [TIER.start, 1.64, 'Si......']],
    ['log', 'Sign out\nlogout', [TIER.start, -0.76, '........|log...']],
    [
      's',
      'Set what it listens to, whatever that may be in the end of it',
      [TIER.start, -0.22, 'S............................................................'],
    ],
    ['out', 'Sign out', [TIER.words, 5.84, '.....out']],
    ['ou', 'Sign out', [TIER.words, 2.84, '.....ou.']],
    ['out', 'Log out of it', [TIER.words, 5.74, '....out......']],
    ['tag', 'Assign tags to a tag', [TIER.words, 5.6, '.................tag']],
    ['tag', 'Stage tag', [TIER.words, 5.82, '......tag']],
    ['tag', 'Stage vintage', [TIER.inside, 2.74, '.tag.........']],
    ['tag', 'Stages\nstag', [TIER.inside, 2.88, '.tag..|....']],
    ['tag', 'Tag a tag', [TIER.start, 1.62, 'Tag......']],
    ['ta', 'a tag tags', [TIER.words, 2.8, '..ta......']],
    ['a', 'xaa', [TIER.inside, 5.94, '..a']],
    ['-', '-b', [TIER.start, 2.76, '-.']],
    ['ig', 'Sign out', [TIER.inside, 2.84, '.ig.....']],
    ['ign', 'Sign out', [TIER.inside, 5.84, '.ign....']],
    ['off', 'Sign out\nlog off', [TIER.words, 2.84, '........|....off']],
    ['of', 'Sign out\nlog offs', [TIER.words, -0.16, '........|....of..']],
    ['out sign', 'Sign out', [TIER.words, -0.16, 'Sign.out']],
    ['sign o', 'Sign in or out', [TIER.words, 4.22, 'Sign....o.....']],
    ['si ou', 'Sign in out', [TIER.words, 2.78, 'Si......ou.']],
    ['ign ou', 'Sign out', [TIER.inside, 2.84, '.ign.ou.']],
    ['out log', 'Sign out\nlog off', [TIER.words, 4.34, '.....out|log....']],
    ['sign off', 'Sign out\nlog off', [TIER.words, 4.34, 'Sign....|....off']],
    ['tag as', 'Stage as a tag', [TIER.words, -0.28, '......as...tag']],
    ['a b', 'a c b b', [TIER.words, 5.86, 'a...b..']],
    ['a a', 'xa ab a', [TIER.inside, 2.86, '.a.a...']],
    ['gn ut', 'Sign out', [TIER.inside, 5.84, '..gn..ut']],
    ['a a', 'a x a', [TIER.words, 5.9, 'a...a']],
    ['a b', 'aB b', [TIER.words, 4.42, 'aB..']],
    ['a a', 'a', [TIER.words, 5.98, 'a']],
    ['x a', 'xaA x', [TIER.words, 4.4, 'x.A..']],
    ['ign b', 'Sign ab b', [TIER.inside, 5.82, '.ign..b..']],
    ['to go', 'Go into it to go', [TIER.words, 5.68, '...........to.go']],
    ['devics', 'Devices', [TIER.near, 2.86, 'Devic.s']],
    ['devics', 'Devices in', [TIER.near, 2.2, 'Devic.s...']],
    ['devics', 'Go to devices', [TIER.near, -0.26, '......devic.s']],
    ['dvices', 'Devices in error that are here', [TIER.near, 0.4, 'D.vices.......................']],
    ['devces', 'Old devices, new devices', [TIER.near, -0.48, '.................dev.ces']],
    ['evices', 'Devices', [TIER.inside, 5.86, '.evices']],
    ['dvic', 'Devic', [TIER.near, 2.9, 'D.vic']],
    ['dvi', 'Devi', [TIER.scattered, 20.62, 'D.vi']],
    ['devs 1', 'Devxs 1', [TIER.scattered, 36.26, 'Dev.s.1']],
    ['hge', 'Halvorsen Geothermal', [TIER.initials, 25.9, 'H.........Ge........']],
    ['halg', 'Halvorsen Geothermal', [TIER.initials, 33.5, 'Hal.......G.........']],
    ['hg', 'Halvorsen oil Geothermal gas', [TIER.initials, 17.84, 'H.............G.............']],
    ['sta', 'set at tip', [TIER.scattered, 22.2, 's.t.a.....']],
    ['sat', 'set at tip', [TIER.initials, 27.9, 's...at....']],
    ['satip', 'set at tip', [TIER.initials, 43.3, 's...a..tip']],
    ['abc', 'ab a bc', [TIER.initials, 27.66, 'a....bc']],
    ['hgl', 'Halvorsen Geothermal', [TIER.scattered, 17.5, 'H.........G........l']],
    ['aeo', 'Halvorsen Geothermal', [TIER.scattered, -0.4, '.a.....e....o.......']],
    ['rs', 'a r rs', [TIER.words, 5.88, '....rs']],
    ['abcdefgh', 'a b c d e f g h', [TIER.initials, 73.6, 'a.b.c.d.e.f.g.h']],
    ['abcdefghi', 'a b c d e f g h i', [TIER.initials, 82.26, 'a.b.c.d.e.f.g.h.i']],
    ['abcdefghi', 'ab xcx defghi', [TIER.scattered, 63.54, 'ab..c..defghi']],
    ['sgt', 'Sign out\nlogout', [TIER.scattered, 13.34, 'S.g....t|......']],
    ['g s', 'Sign out', [TIER.inside, -3.16, 'S.g.....']],
    ['st', 'Sixteen small letters and t', [TIER.initials, 17.86, 'S.........................t']],
    ['2fa', 'Enable 2FA', [TIER.words, 5.8, '.......2FA']],
    ['29', 'Device 21 19', [TIER.scattered, 6.76, '.......2...9']],
    ['é', 'Café', [TIER.inside, 5.92, '...é']],
    ['cafe', 'Café', [TIER.exact, 2.92, 'Café']],
    ['øl', 'Øl', [TIER.exact, 2.96, 'Øl']],
    ['id', 'deviceID', [TIER.words, 5.84, '......ID']],
    ['ewt', 'newTags', [TIER.inside, 2.86, '.ewT...']],
    ['tags', 'newTags', [TIER.words, 5.86, '...Tags']],
    ['d', 'ID', [TIER.inside, 5.96, '.D']],
    ['b', '-b', [TIER.words, 5.96, '.b']],
    ['3', 'a3', [TIER.inside, 5.96, '.3']],
    // These queries are near or above the maximum length of initials or of a query.
    ['abcdefgh', 'ab bc d e f g h', [TIER.initials, 71.6, 'a..bc.d.e.f.g.h']],
    ['abcdefghi', 'ab bc d e f g h i', [TIER.scattered, 72.26, 'ab..c.d.e.f.g.h.i']],
    [`${'a'.repeat(32)}b`, 'a'.repeat(32), [TIER.exact, 2.36, 'a'.repeat(32)]],
    // Each query misses one letter, not at the start of a word. The first of several equal matches wins.
    ['devics', 'Mydevices', [TIER.scattered, 28.92, '..devic.s']],
    ['devics', 'dDevices', [TIER.near, -0.16, '.Devic.s']],
    ['devics', 'Devices, old devices', [TIER.near, 0.6, 'Devic.s.............']],
    [
      'devics',
      'Old devices, new devices that nobody has named so far at all',
      [TIER.near, -3.2, '....devic.s.................................................'],
    ],
    // The words match separately if all their letters together don't occur in order.
    ['dvs g', 'Go to devices', [TIER.scattered, 14.74, 'G.....d.v...s']],
    ['dvs t g', 'Go to devices', [TIER.scattered, 22.84, 'G..t..d.v...s']],
    ['abc a', 'ab bc', [TIER.scattered, 27.3, 'ab..c']],
    // The match uses runs and word starts, or the leftmost letters if they score higher.
    ['abcde', 'a xbcde b zc zd ze', [TIER.scattered, 34.04, 'a..bcde...........']],
    ['dba', 'bed aed dedbba', [TIER.scattered, 7.42, '........d..b.a']],
    ['halogeoth', 'Halvorsen oil Geothermal', [TIER.initials, 69.52, 'Hal.......o...Geoth.....']],
    ['igo', 'Sign out', [TIER.scattered, 15.94, '.ig..o..']],
    ['ss', 'Sixs', [TIER.scattered, 13.32, 'S..s']],
    ['ab', 'xaA cb', [TIER.scattered, 8.68, '..A..b']],
    ['wellnorth', 'Well-north', [TIER.initials, 70.5, 'Well.north']],
    ['a', 'xaA', [TIER.words, 5.94, '..A']],
    ['-b', '--b', [TIER.inside, 5.94, '.-b']],
    ['-', 'a-b', [TIER.inside, 2.94, '.-.']],
    ['a', '한국 a', [TIER.words, 5.92, '...a']],
  ])('scores %j in %j', (query, text, [expectedTier, within, marks]) => {
    const scored = candidateOf(text);
    const { score, ranges } = match(scored, needle(query)) ?? { score: 0, ranges: [] };
    expect(score).toBe(scoreOf(scored, needle(query)));
    expect([tierOf(score), withinTier(score)]).toEqual([expectedTier, expect.closeTo(within, 2)]);
    const letters = [...text].map((letter, index) =>
      ranges.some(([from, to]) => index >= from && index < to) ? letter : letter === '\n' ? '|' : '.',
    );
    expect(letters.join('')).toBe(marks);
  });

  test.each([
    ['devics', 'Go\ndevices'],
    ['lgt', 'Sign out\nlogout'],
    ['gn tu', 'Sign out'],
    ['f2', 'Enable 2FA'],
    ['2', 'Device'],
    ['x', 'abc'],
    ['bb', 'b'],
  ])('is undefined for %j in %j', (query, text) => {
    expect(match(candidateOf(text), needle(query))).toBeUndefined();
  });
});
