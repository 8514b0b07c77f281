import { expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { parseArgv } from '#commands/line/line.ts';
import { p, required } from '#commands/model/params.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { listCommand } from '#commands/kit/standard.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import * as resources from '#commands/nouns/texts.ts';
import { gadget, reset, simplePlan } from '#commands/testkit/gadget.ts';
import { exampleOf } from './examples.ts';
import { Help } from './help.ts';
import { runsHere } from './here.ts';
import { main } from './main.ts';
import { OWN } from './own.ts';
import { testIo } from './testkit/io.ts';
import { sayKey } from './testkit/plain.ts';

const translator = await createTranslator('en', resources);
const help = new Help(registry, translateWith(translator), 'npx quarterdeck');

test('there is help on every level, all of it in words', () => {
  const pages = [
    [],
    ...registry.commands.map(({ noun, verb }) => [noun, verb]),
    ...registry.commands.map(({ noun }) => [noun]),
  ];
  const text = pages.map((words) => help.about(words)).join('\n');
  // What has no text shows as its key.
  expect(text.match(/\b(cli|commands|columns|filter|params)\.[a-z.]+/g)).toBeNull();
  expect(text.match(/\b(undefined|NaN|\[object)/)).toBeNull();
});

test('help on a command names its arguments, what they take, and an example that parses', async () => {
  const io = testIo();
  expect(await main(['tag', 'assign', '--help'], io)).toBe(0);
  expect(io.stdout()).toContain('npx quarterdeck tag assign DEVICES --tag NAME');
  expect(io.stdout()).toContain('health:');
  const examples = registry.commands.filter(runsHere).map(exampleOf);
  expect(examples.map(({ id, args }) => [id, args])).not.toHaveLength(0);
});

test('an unknown noun or verb lists the ones there are', async () => {
  const io = testIo();
  expect(await main(['devise', 'list'], io)).toBe(2);
  expect(io.stderr()).toContain('device');
  expect(parseArgv(['device', 'explode'], registry).problems[0]?.message.values?.['verbs']).toContain('set-lifecycle');
});

const params = {
  gadgets: p.many(() => gadget),
  mode: required(p.choice(['ON', 'OFF', 'IDLE'], { fallback: 'ON' })),
  label: p.text({ placeholder: 'Pump 3', fallback: 'x' }),
  count: required(p.number({ min: 3 })),
  dryRun: p.flag(),
  audible: p.maybe(),
  every: required(p.duration()),
  kinds: required(p.choices(['A', 'B', 'C'])),
  header: required(p.pairs({ hidden: true })),
  site: required(p.pairs()),
  only: p.query(() => gadget),
  parent: p.ref(() => ({ ...gadget, name: 'plant', plural: 'plants' })),
};
const turn = command({
  id: 'gadget.turn',
  effect: 'write',
  plan: simplePlan,
  params,
  positional: ['gadgets', 'label'],
  run: async () => ({}),
});
const away = command({ id: 'gadget.away', effect: 'navigate', needs: ['navigate'], run: async () => ({}) });
const small = createRegistry([{ entity: gadget, commands: [turn, away, reset, listCommand(gadget)] }]);
const about = (...words: string[]) => new Help(small, sayKey, 'npx quarterdeck', 400).about(words) ?? '';
const sections = (text: string) => text.split('\n').filter((line) => /^\S/.test(line));
const rows = (text: string) =>
  text.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim().split(/ {2,}/)] : []));

test('the help of a command has each argument in its form, with what it takes', () => {
  const text = about('gadget', 'turn');
  expect(sections(text)).toEqual([
    'gadget:commands.turn.title count=1',
    'gadget:commands.turn.about',
    'core:cli.help.usage:',
    'core:cli.help.arguments:',
    'core:cli.help.filter entity=gadget:many:',
    'core:cli.help.options:',
    'core:cli.help.example:',
  ]);
  const asked = '--mode NAME --count NUMBER --every DURATION --kinds NAME,… --header NAME=TEXT --site NAME=TEXT';
  const shown = rows(text);
  expect(shown[0]).toEqual([`npx quarterdeck gadget turn GADGETS [LABEL] ${asked} [OPTIONS]`]);
  const title = (name: string) => `gadget:commands.turn.params.${name}`;
  const must = 'core:cli.help.required';
  expect(shown.slice(1, 13)).toEqual([
    ['GADGETS', `${title('gadgets')}; ${must}`],
    ['--mode NAME', `${title('mode')}; ON, OFF, IDLE; ${must}`],
    ['LABEL', `${title('label')}; core:cli.help.default value=x`],
    ['--count NUMBER', `${title('count')}; ${must}`],
    ['--dry-run', title('dryRun')],
    ['--audible, --no-audible', title('audible')],
    ['--every DURATION', `${title('every')}; ${must}`],
    ['--kinds NAME,…', `${title('kinds')}; A, B, C; ${must}`],
    ['--header NAME=TEXT', `${title('header')}; ${must}`],
    ['--site NAME=TEXT', `${title('site')}; ${must}`],
    ['--only FILTER', title('only')],
    ['--parent NAME', title('parent')],
  ]);
  expect(shown).toContainEqual(['state:', 'gadget:filter.state: OK, WARNING, ERROR, NOT_SEEN']);
  expect(shown).toContainEqual(['tag:', 'gadget:filter.tag']);
  expect(shown).toContainEqual(['sort:', 'name, inactivity']);
  expect(shown).toContainEqual(['group:', 'state']);
  expect(shown).toContainEqual(['view:', 'broken']);
  expect(shown).toContainEqual(['--org ORG', 'core:cli.help.global.org']);
  expect(shown).toContainEqual(['--json', 'core:cli.help.global.json']);
  expect(shown.at(-1)).toEqual([
    "npx quarterdeck gadget turn state:ERROR 'Pump 3' --mode ON --count 3 --every 15m --kinds A,B --header X-Site=@ask --site X-Site=north",
  ]);
});

test('a command without options has none in its help, and one of the console is not shown', () => {
  const text = about('gadget', 'reset');
  expect(rows(text)[0]).toEqual(['npx quarterdeck gadget reset']);
  expect(sections(text)).not.toContain('core:cli.help.arguments:');
  const noun = rows(about('gadget')).flatMap(([name = '']) => (name.startsWith('gadget:') ? [] : [name]));
  expect(noun.map((name) => name.split(' ').slice(0, 2).join(' '))).toEqual([
    'gadget turn',
    'gadget reset',
    'gadgets [FILTER]',
    'npx quarterdeck',
  ]);
  expect(noun.at(-1)).toBe('npx quarterdeck gadget VERB --help');
  expect(about('gadget', 'away')).toBe(about('gadget'));
  // Where the console goes to a screen, a terminal lists.
  expect(about('gadgets').split('\n')[0]).toBe('core:cli.help.list entity=gadget:many');
  expect(about('gadgets')).toBe(about('gadget', 'list'));
});

test('the help on everything has the nouns, the exit codes and the environment', () => {
  const shown = rows(about());
  expect(shown).toContainEqual(['gadget', 'turn, reset, list']);
  for (const name of OWN) expect(shown).toContainEqual([name, `core:cli.help.own.${name}`]);
  expect(shown).toContainEqual(['--version', 'core:cli.help.global.version']);
  expect(shown).toContainEqual(['130', 'core:cli.help.exit.interrupted']);
  for (const name of ['QUARTERDECK_SERVER', 'QUARTERDECK_TOKEN', 'QUARTERDECK_ORG', 'NO_COLOR']) {
    expect(shown).toContainEqual([name, `core:cli.help.env.${name}`]);
  }
  expect(shown.slice(0, 2)).toEqual([
    ['npx quarterdeck NOUN VERB [ARGUMENTS] [OPTIONS]'],
    ["npx quarterdeck devices 'health:ERROR'"],
  ]);
  expect(new Help(small, sayKey, 'npx quarterdeck', 400).about(['nothing'])).toBeUndefined();
  expect(sections(about())).toHaveLength(5);
});

test('texts are wrapped into what room there is, under one another', () => {
  const lines = (new Help(small, sayKey, 'npx quarterdeck', 60).about(['gadget', 'turn']) ?? '').split('\n');
  const at = lines.findIndex((line) => line.startsWith('  --mode NAME'));
  const column = lines[at]?.indexOf('gadget:') ?? 0;
  expect(column).toBe(2 + '--audible, --no-audible'.length + 2);
  expect(lines.slice(at, at + 2)).toEqual([
    '  --mode NAME              gadget:commands.turn.params.mode;',
    `${' '.repeat(column)}ON, OFF, IDLE;`,
  ]);
});

test('an example selects by the first view that selects something', () => {
  const of = (views: object[]) => {
    const entity = { ...gadget, views } as AnyEntity;
    const list = command({
      id: 'gadget.turn',
      effect: 'write',
      plan: simplePlan,
      run: turn.run,
      params: { gadgets: p.many(() => entity) },
      positional: ['gadgets'],
    });
    return exampleOf(list).args['gadgets'];
  };
  expect(of([{ filter: 'sort:name' }, { filter: 'pump sort:-name' }, { filter: 'state:OK' }])).toEqual({
    query: 'pump',
  });
  expect(of([{ filter: 'state:OK' }])).toEqual({ query: 'state:OK' });
  expect(of([{ filter: 'state:OK north' }])).toEqual({ query: 'state:OK north' });
  expect(of([])).toEqual({ query: '' });
});

test('a noun has its own verbs, and its page the commands of these alone', () => {
  const nouns = [...new Set(registry.commands.map(({ noun }) => noun))];
  for (const noun of nouns) {
    const verbs = registry.commands
      .filter((command) => command.noun === noun && runsHere(command))
      .map(({ verb }) => verb);
    const of = (...words: string[]) => rows(new Help(registry, sayKey, 'npx quarterdeck', 2000).about(words) ?? '');
    const [row = []] = of().filter(([name]) => name === noun);
    expect(row, noun).toEqual(verbs.length === 0 ? [] : [noun, verbs.join(', ')]);
    expect(help.about([noun]) === undefined, noun).toBe(verbs.length === 0);
    if (verbs.length === 0) continue;
    const usages = of(noun).filter(([name = '']) => !name.includes(':'));
    expect(usages, noun).toHaveLength(verbs.length + 1);
    expect(usages.at(-1)).toEqual([`npx quarterdeck ${noun} VERB --help`]);
  }
});

test('a command that needs more than a terminal has is not run here', () => {
  const needing = (...needs: ('output' | 'line' | 'navigate')[]): Command => ({ ...away, needs });
  expect([needing('output', 'line'), needing('output', 'navigate'), needing('navigate'), reset].map(runsHere)).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test('texts fill the width there is, a hundred columns when nobody says', () => {
  const texts = (width?: number) =>
    (new Help(registry, translateWith(translator), 'npx quarterdeck', width).about(['tag', 'assign']) ?? '')
      .split('\n')
      .filter((line) => line.startsWith('  ') && !line.startsWith('  npx'));
  const longest = (width?: number) => Math.max(...texts(width).map((line) => line.length));
  expect(longest()).toBeLessThanOrEqual(100);
  expect(longest()).toBeGreaterThan(90);
  expect(texts()).toEqual(texts(100));
  for (let width = 60; width < 110; width += 1) {
    const lines = texts(width);
    lines.forEach((line, index) => {
      const more = /^ {4,}(\S+)/.exec(lines[index + 1] ?? '');
      // A word that goes to the next line would not have fitted; one that is too long for any line stands alone.
      const fitted = more !== null && `${line} ${more[1]}`.length <= width;
      const tooLong = line.trim().split(/ +/).length > 3 && line.length > width;
      expect({ line, fitted, tooLong }, `${width}`).toEqual({ line, fitted: false, tooLong: false });
    });
  }
});

test('a usage that is longer than the column of names stands on a line of its own', () => {
  const long = command({
    id: 'gadget.calibrate-and-verify',
    effect: 'write',
    plan: simplePlan,
    params: { measuredValue: p.text() },
    positional: ['measuredValue'],
    run: async () => ({}),
  });
  const registryOfLong = createRegistry([{ entity: gadget, commands: [long, reset] }]);
  const lines = (new Help(registryOfLong, sayKey, 'npx quarterdeck', 400).about(['gadget']) ?? '').split('\n');
  expect(lines.slice(1, 4)).toEqual([
    '  gadget calibrate-and-verify [MEASURED-VALUE]',
    `${' '.repeat(38)}gadget:commands.calibrate-and-verify.title count=1`,
    `  gadget reset${' '.repeat(24)}gadget:commands.reset.title count=1`,
  ]);
});

test('an example has a value of each kind, for what must be given or stands without a name', () => {
  const all = {
    text: required(p.text()),
    number: required(p.number()),
    least: required(p.number({ min: 7 })),
    duration: required(p.duration()),
    longer: required(p.duration({ min: 3600 })),
    choice: required(p.choice(['ON', 'OFF'])),
    choices: required(p.choices(['A', 'B', 'C'])),
    words: required(p.words()),
    refs: required(p.refs(() => gadget)),
    flag: p.flag(),
    left: p.text(),
  };
  const of = command({
    id: 'gadget.all',
    effect: 'write',
    plan: simplePlan,
    params: all,
    positional: ['flag'],
    run: async () => ({}),
  });
  expect(exampleOf(of)).toEqual({
    id: 'gadget.all',
    args: {
      text: 'Some text',
      number: 1,
      least: 7,
      duration: 900,
      longer: 3600,
      choice: 'ON',
      choices: ['A', 'B'],
      words: ['one', 'two'],
      refs: ['Some name'],
      flag: true,
    },
  });
});

test('the help comes for no words at all, for the word help, and for --help', async () => {
  const printed = async (...argv: string[]) => {
    const io = testIo();
    expect(await main(argv, io)).toBe(0);
    return io.stdout();
  };
  const all = await printed();
  expect(all).toContain('NOUN VERB [ARGUMENTS] [OPTIONS]');
  expect([await printed('help'), await printed('--help')]).toEqual([all, all]);
  const assign = await printed('tag', 'assign', '--help');
  expect(assign).not.toBe(all);
  expect([await printed('help', 'tag', 'assign'), await printed('-h', 'tag', 'assign')]).toEqual([assign, assign]);
  expect(await printed('help', 'tag')).not.toBe(assign);
});
