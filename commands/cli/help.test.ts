import { expect, test } from 'vitest';

import { registry } from '../all.ts';
import { command } from '../core/command.ts';
import type { AnyEntity } from '../core/entity.ts';
import { parseArgv } from '../core/line.ts';
import { p, required } from '../core/params.ts';
import { createRegistry } from '../core/registry.ts';
import { listCommand } from '../core/standard.ts';
import { createTranslator, translateWith } from '../i18n.ts';
import * as resources from '../locales/resources.ts';
import { gadget, reset } from '../testing/gadget.ts';
import { exampleOf } from './examples.ts';
import { Help, runsHere } from './help.ts';
import { main } from './main.ts';
import { testIo } from './testing/io.ts';
import { sayKey } from './testing/plain.ts';

const help = new Help(registry, translateWith(await createTranslator('en', resources)));

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
  expect(io.printed()).toContain('npx quarterdeck tag assign DEVICES --tag NAME');
  expect(io.printed()).toContain('health:');
  const examples = registry.commands.filter(runsHere).map(exampleOf);
  expect(examples.map(({ id, args }) => [id, args])).not.toHaveLength(0);
});

test('an unknown noun or verb lists the ones there are', async () => {
  const io = testIo();
  expect(await main(['devise', 'list'], io)).toBe(2);
  expect(io.said()).toContain('device');
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
};
const turn = command({
  id: 'gadget.turn',
  effect: 'write',
  params,
  positional: ['gadgets', 'label'],
  run: async () => ({}),
});
const away = command({ id: 'gadget.away', effect: 'navigate', needs: ['navigate'], run: async () => ({}) });
const small = createRegistry([{ entity: gadget, commands: [turn, away, reset, listCommand(gadget)] }]);
const about = (...words: string[]) => new Help(small, sayKey, 400).about(words);
const sections = (text: string) => text.split('\n').filter((line) => /^\S/.test(line));
const rows = (text: string) =>
  text.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim().split(/ {2,}/)] : []));

test('the help of a command has each argument in its form, with what it takes', () => {
  const text = about('gadget', 'turn');
  expect(sections(text)).toEqual([
    'gadget:commands.turn.title',
    'core:cli.help.usage:',
    'core:cli.help.arguments:',
    'core:cli.help.filter entity=gadgets:',
    'core:cli.help.options:',
    'core:cli.help.example:',
  ]);
  const asked = '--mode NAME --count NUMBER --every DURATION --kinds NAME,… --header NAME=TEXT --site NAME=TEXT';
  const shown = rows(text);
  expect(shown[0]).toEqual([`npx quarterdeck gadget turn GADGETS [LABEL] ${asked} [OPTIONS]`]);
  const title = (name: string) => `gadget:commands.turn.params.${name}`;
  const must = 'core:cli.help.required';
  expect(shown.slice(1, 12)).toEqual([
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
  expect(about('gadgets')).toBe(about('gadget', 'list'));
});

test('the help on everything has the nouns, the exit codes and the environment', () => {
  const shown = rows(about());
  expect(shown).toContainEqual(['gadget', 'turn, reset, list']);
  expect(shown).toContainEqual(['login', 'core:cli.help.login']);
  expect(shown).toContainEqual(['logout', 'core:cli.help.logout']);
  expect(shown).toContainEqual(['130', 'core:cli.help.exit.interrupted']);
  for (const name of ['QUARTERDECK_SERVER', 'QUARTERDECK_TOKEN', 'QUARTERDECK_ORG', 'NO_COLOR']) {
    expect(shown).toContainEqual([name, `core:cli.help.env.${name}`]);
  }
  expect(about('nothing')).toBe(about());
  expect(sections(about())).toHaveLength(5);
});

test('texts are wrapped into what room there is, under one another', () => {
  const lines = new Help(small, sayKey, 60).about(['gadget', 'turn']).split('\n');
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
      ...turn,
      id: 'gadget.turn',
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
