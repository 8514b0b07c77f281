import { expect, test } from 'vitest';

import { listCommand } from '#commands/kit/standard.ts';
import { createExample } from '#commands/line/examples.ts';
import { commandWords } from '#commands/line/line-head.ts';
import { parseArgv } from '#commands/line/line.ts';
import { printUsage } from '#commands/line/usage.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { p, required } from '#commands/model/params.ts';
import { registry } from '#commands/nouns/all.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { gadget, reset, simplePlan } from '#commands/testkit/gadget.ts';

import { BUILT_IN } from './built-in.ts';
import { Help } from './help.ts';
import { main } from './main.ts';
import * as resources from './strings.ts';
import { runsInTerminal } from './terminal-commands.ts';
import { testIo } from './testkit/io.ts';
import { translateKey } from './testkit/plain.ts';

const translator = await createTranslator('en', resources);
const help = new Help(registry, translateWith(translator), 'npx quarterdeck');

test('has no missing translations at any level', () => {
  const pages = [
    [],
    ...registry.commands.map(({ noun, verb }) => [noun, verb]),
    ...registry.commands.map(({ noun }) => [noun]),
  ];
  const text = pages.map((words) => help.about(words)).join('\n');
  // A missing text would show as its key.
  expect(text.match(/\b(cli|commands|columns|filter|params)\.[a-z.]+/g)).toBeNull();
  expect(text.match(/\b(undefined|NaN|\[object)/)).toBeNull();
});

test('explains every command under the words that run it', () => {
  const commands = registry.commands.filter(runsInTerminal);
  const wideHelp = new Help(registry, translateWith(translator), 'npx quarterdeck', 1000);
  const unexplained = commands.filter(
    (item) => !wideHelp.about(commandWords(item, registry))?.includes(`npx quarterdeck ${printUsage(item, registry)}`),
  );
  expect(unexplained.map(({ id }) => id)).toEqual([]);
});

test("shows usage and filter keys in a command's help", async () => {
  const io = testIo();
  expect(await main(['tag', 'assign', '--help'], io)).toBe(0);
  expect(io.stdout()).toContain('npx quarterdeck tag assign DEVICES --tag NAME');
  expect(io.stdout()).toContain('health:');
  expect(io.stdout().replace(/\s+/g, ' ')).toContain('2026-01-31T20:00 (in UTC)');
  const examples = registry.commands.filter(runsInTerminal).map(createExample);
  expect(examples.map(({ id, args }) => [id, args])).not.toHaveLength(0);
});

test('lists the available nouns or verbs if the given one is unknown', async () => {
  const io = testIo();
  expect(await main(['devise', 'list'], io)).toBe(2);
  expect(io.stderr()).toContain('device');
  expect(parseArgv(['device', 'explode'], registry).problems[0]?.message.values?.['verbs']).toContain('set-lifecycle');
});

test.each([
  ['help', 'device', 'opne'],
  ['device', 'opne', '--help'],
])('suggests similar commands instead of help for an unknown verb: %s %s %s', async (...line) => {
  const io = testIo();
  expect(await main(line, io)).toBe(2);
  expect([io.stdout(), io.stderr()]).toEqual(['', expect.stringContaining('device open')]);
});

test('has no help for a command that exists only in the console', async () => {
  const io = testIo();
  expect(await main(['help', 'gadget', 'away'], io)).toBe(2);
});

const params = {
  gadgets: p.many(() => gadget),
  mode: required(p.choice(['ON', 'OFF', 'IDLE'], { fallback: 'ON' })),
  label: p.text({ placeholder: 'Pump 3', fallback: 'x' }),
  count: required(p.number({ min: 3 })),
  dryRun: p.flag(),
  audible: p.optionalFlag(),
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
const navigateCommand = command({ id: 'gadget.away', effect: 'navigate', needs: ['navigate'], run: async () => ({}) });
const smallRegistry = createRegistry([
  { entity: gadget, commands: [turn, navigateCommand, reset, listCommand(gadget)] },
]);
const helpFor = (...words: string[]) =>
  new Help(smallRegistry, translateKey, 'npx quarterdeck', 400).about(words) ?? '';
const sections = (text: string) => text.split('\n').filter((line) => /^\S/.test(line));
const rows = (text: string) =>
  text.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim().split(/ {2,}/)] : []));

test('describes each argument of a command by its form, title, and values', () => {
  const text = helpFor('gadget', 'turn');
  expect(sections(text)).toEqual([
    'gadget:commands.turn.title count=1',
    'gadget:commands.turn.about',
    'core:cli.help.usage:',
    'core:cli.help.arguments:',
    'core:cli.help.filter entity=gadget:many:',
    'core:cli.help.options:',
    'core:cli.help.example:',
  ]);
  const requiredOptions =
    '--mode NAME --count NUMBER --every DURATION --kinds NAME,… --header NAME=TEXT --site NAME=TEXT';
  const helpRows = rows(text);
  expect(helpRows[0]).toEqual([`npx quarterdeck gadget turn GADGETS [LABEL] ${requiredOptions} [OPTIONS]`]);
  const title = (name: string) => `gadget:commands.turn.params.${name}`;
  const requiredText = 'running:usage.required';
  expect(helpRows.slice(1, 13)).toEqual([
    ['GADGETS', `${title('gadgets')}; ${requiredText}`],
    ['--mode NAME', `${title('mode')}; ON, OFF, IDLE; ${requiredText}`],
    ['LABEL', `${title('label')}; running:usage.default value=x`],
    ['--count NUMBER', `${title('count')}; ${requiredText}`],
    ['--dry-run', title('dryRun')],
    ['--audible, --no-audible', title('audible')],
    ['--every DURATION', `${title('every')}; ${requiredText}`],
    ['--kinds NAME,…', `${title('kinds')}; A, B, C; ${requiredText}`],
    ['--header NAME=TEXT', `${title('header')}; ${requiredText}`],
    ['--site NAME=TEXT', `${title('site')}; ${requiredText}`],
    ['--only FILTER', title('only')],
    ['--parent NAME', title('parent')],
  ]);
  expect(helpRows).toContainEqual(['state:', 'gadget:filter.state: OK, WARNING, ERROR, NOT_SEEN']);
  expect(helpRows).toContainEqual(['tag:', 'gadget:filter.tag']);
  expect(helpRows).toContainEqual(['sort:', 'name, inactivity']);
  expect(helpRows).toContainEqual(['group:', 'state']);
  expect(helpRows).toContainEqual(['view:', 'broken']);
  expect(helpRows).toContainEqual(['--org ORG', 'core:cli.help.global.org']);
  expect(helpRows).toContainEqual(['--json', 'core:cli.help.global.json']);
  expect(helpRows.at(-1)).toEqual([
    "npx quarterdeck gadget turn state:ERROR 'Pump 3' --mode ON --count 3 --every 15m --kinds A,B --header X-Site=@ask --site X-Site=north",
  ]);
});

test('omits an empty arguments section and hides console-only commands', () => {
  const text = helpFor('gadget', 'reset');
  expect(rows(text)[0]).toEqual(['npx quarterdeck gadget reset']);
  expect(sections(text)).not.toContain('core:cli.help.arguments:');
  const noun = rows(helpFor('gadget')).flatMap(([name = '']) => (name.startsWith('gadget:') ? [] : [name]));
  expect(noun.map((name) => name.split(' ').slice(0, 2).join(' '))).toEqual([
    'gadget turn',
    'gadget reset',
    'gadgets [FILTER]',
    'npx quarterdeck',
  ]);
  expect(noun.at(-1)).toBe('npx quarterdeck gadget VERB --help');
  expect(helpFor('gadget', 'away')).toBe('');
  // The console opens a screen, but the terminal prints a list.
  expect(helpFor('gadgets').split('\n')[0]).toBe('core:cli.help.list entity=gadget:many');
  expect(helpFor('gadgets')).toBe(helpFor('gadget', 'list'));
});

test('lists nouns, global options, exit codes, and environment variables', () => {
  const helpRows = rows(helpFor());
  expect(helpRows).toContainEqual(['gadget', 'turn, reset, list']);
  for (const name of BUILT_IN) expect(helpRows).toContainEqual([name, `core:cli.help.own.${name}`]);
  expect(helpRows).toContainEqual(['--version', 'core:cli.help.global.version']);
  expect(helpRows).toContainEqual(['130', 'core:cli.help.exit.interrupted']);
  for (const name of ['QUARTERDECK_SERVER', 'QUARTERDECK_TOKEN', 'QUARTERDECK_ORG', 'NO_COLOR']) {
    expect(helpRows).toContainEqual([name, `core:cli.help.env.${name}`]);
  }
  expect(helpRows.slice(0, 2)).toEqual([
    ['npx quarterdeck NOUN VERB [ARGUMENTS] [OPTIONS]'],
    ["npx quarterdeck devices 'health:ERROR'"],
  ]);
  expect(new Help(smallRegistry, translateKey, 'npx quarterdeck', 400).about(['nothing'])).toBeUndefined();
  expect(sections(helpFor())).toHaveLength(5);
});

test('wraps text to the width in an aligned column', () => {
  const lines = (new Help(smallRegistry, translateKey, 'npx quarterdeck', 60).about(['gadget', 'turn']) ?? '').split(
    '\n',
  );
  const modeIndex = lines.findIndex((line) => line.startsWith('  --mode NAME'));
  const column = lines[modeIndex]?.indexOf('gadget:') ?? 0;
  expect(column).toBe(2 + '--audible, --no-audible'.length + 2);
  expect(lines.slice(modeIndex, modeIndex + 2)).toEqual([
    '  --mode NAME              gadget:commands.turn.params.mode;',
    `${' '.repeat(column)}ON, OFF, IDLE;`,
  ]);
});

test('uses the first view with a filter as the example', () => {
  const exampleArgument = (views: object[]) => {
    const entity = { ...gadget, views } as AnyEntity;
    const list = command({
      id: 'gadget.turn',
      effect: 'write',
      plan: simplePlan,
      run: turn.run,
      params: { gadgets: p.many(() => entity) },
      positional: ['gadgets'],
    });
    return createExample(list).args['gadgets'];
  };
  expect(exampleArgument([{ filter: 'sort:name' }, { filter: 'pump sort:-name' }, { filter: 'state:OK' }])).toEqual({
    query: 'pump',
  });
  expect(exampleArgument([{ filter: 'state:OK' }])).toEqual({ query: 'state:OK' });
  expect(exampleArgument([{ filter: 'state:OK north' }])).toEqual({ query: 'state:OK north' });
  expect(exampleArgument([])).toEqual({ query: '' });
});

test('lists the verbs of each noun that run in a terminal', () => {
  const nouns = [...new Set(registry.commands.map(({ noun }) => noun))];
  for (const noun of nouns) {
    const verbs = registry.commands
      .filter((command) => command.noun === noun && runsInTerminal(command))
      .map(({ verb }) => verb);
    const helpRowsFor = (...words: string[]) =>
      rows(new Help(registry, translateKey, 'npx quarterdeck', 2000).about(words) ?? '');
    const [row = []] = helpRowsFor().filter(([name]) => name === noun);
    expect(row, noun).toEqual(verbs.length === 0 ? [] : [noun, verbs.join(', ')]);
    expect(help.about([noun]) === undefined, noun).toBe(verbs.length === 0);
    if (verbs.length === 0) continue;
    const usages = helpRowsFor(noun).filter(([name = '']) => !name.includes(':'));
    expect(usages, noun).toHaveLength(verbs.length + 1);
    expect(usages.at(-1)).toEqual([`npx quarterdeck ${noun} VERB --help`]);
  }
});

test('allows the commands that save files or wait in a terminal', () => {
  for (const id of ['device.download-file', 'device.download-firmware', 'export.download', 'export.wait'])
    expect(runsInTerminal(registry.command(id)!), id).toBe(true);
});

test('allows a command in a terminal only if it needs nothing but what a terminal has', () => {
  const consoleCommand = (...needs: ('output' | 'line' | 'navigate')[]): Command => ({ ...navigateCommand, needs });
  expect(
    [consoleCommand('output', 'line'), consoleCommand('output', 'navigate'), consoleCommand('navigate'), reset].map(
      runsInTerminal,
    ),
  ).toEqual([true, false, false, true]);
});

test('fills the available width, by default 100 columns', () => {
  const helpLines = (width?: number) =>
    (new Help(registry, translateWith(translator), 'npx quarterdeck', width).about(['tag', 'assign']) ?? '')
      .split('\n')
      .filter((line) => line.startsWith('  ') && !line.startsWith('  npx'));
  const longestLine = (width?: number) => Math.max(...helpLines(width).map((line) => line.length));
  expect(longestLine()).toBeLessThanOrEqual(100);
  expect(longestLine()).toBeGreaterThan(90);
  expect(helpLines()).toEqual(helpLines(100));
  for (let width = 60; width < 110; width += 1) {
    const lines = helpLines(width);
    lines.forEach((line, index) => {
      const nextWord = /^ {4,}(\S+)/.exec(lines[index + 1] ?? '');
      // The first word of the next line does not fit on this line. A word longer than a line gets its own line.
      const wouldFit = nextWord !== null && `${line} ${nextWord[1]}`.length <= width;
      const tooLong = line.trim().split(/ +/).length > 3 && line.length > width;
      expect({ line, wouldFit, tooLong }, `${width}`).toEqual({ line, wouldFit: false, tooLong: false });
    });
  }
});

test('wraps the description of a command, in a narrow terminal too', () => {
  const help = new Help(registry, translateWith(translator), 'npx quarterdeck', 40);
  const description = (help.about(['tag', 'assign']) ?? '').split('\n\n')[0]?.split('\n') ?? [];
  expect(description.length).toBeGreaterThan(2);
  expect(description.filter((line) => line.length > 40)).toEqual([]);
});

test('puts usage that is wider than the name column on its own line', () => {
  const longCommand = command({
    id: 'gadget.calibrate-and-verify',
    effect: 'write',
    plan: simplePlan,
    params: { measuredValue: p.text() },
    positional: ['measuredValue'],
    run: async () => ({}),
  });
  const longRegistry = createRegistry([{ entity: gadget, commands: [longCommand, reset] }]);
  const lines = (new Help(longRegistry, translateKey, 'npx quarterdeck', 400).about(['gadget']) ?? '').split('\n');
  expect(lines.slice(1, 4)).toEqual([
    '  gadget calibrate-and-verify [MEASURED-VALUE]',
    `${' '.repeat(38)}gadget:commands.calibrate-and-verify.title count=1`,
    `  gadget reset${' '.repeat(24)}gadget:commands.reset.title count=1`,
  ]);
});

test('puts a value for each required or positional argument into an example', () => {
  const all = {
    text: required(p.text()),
    number: required(p.number()),
    withMinimum: required(p.number({ min: 7 })),
    duration: required(p.duration()),
    longDuration: required(p.duration({ min: 3600 })),
    choice: required(p.choice(['ON', 'OFF'])),
    choices: required(p.choices(['A', 'B', 'C'])),
    words: required(p.words()),
    refs: required(p.refs(() => gadget)),
    flag: p.flag(),
    optional: p.text(),
  };
  const withAllKinds = command({
    id: 'gadget.all',
    effect: 'write',
    plan: simplePlan,
    params: all,
    positional: ['flag'],
    run: async () => ({}),
  });
  expect(createExample(withAllKinds)).toEqual({
    id: 'gadget.all',
    args: {
      text: 'Some text',
      number: 1,
      withMinimum: 7,
      duration: 900,
      longDuration: 3600,
      choice: 'ON',
      choices: ['A', 'B'],
      words: ['one', 'two'],
      refs: ['Some name'],
      flag: true,
    },
  });
});

test('prints the general help for `help` and `--help`, and if there are no arguments', async () => {
  const helpOf = async (...argv: string[]) => {
    const io = testIo();
    expect(await main(argv, io)).toBe(0);
    return io.stdout();
  };
  const generalHelp = await helpOf();
  expect(generalHelp).toContain('NOUN VERB [ARGUMENTS] [OPTIONS]');
  expect([await helpOf('help'), await helpOf('--help')]).toEqual([generalHelp, generalHelp]);
  const assign = await helpOf('tag', 'assign', '--help');
  expect(assign).not.toBe(generalHelp);
  expect([await helpOf('help', 'tag', 'assign'), await helpOf('-h', 'tag', 'assign')]).toEqual([assign, assign]);
  expect(await helpOf('help', 'tag')).not.toBe(assign);
});
