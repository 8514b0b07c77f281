import { isBuiltin } from 'node:module';
import { describe, expect, it } from 'vitest';
import { sources, type Source } from './sources.ts';

// Who may import what (architecture: "Folders"). The first layer whose `files` match a source is its layer.
interface Layer {
  name: string;
  files: RegExp;
  /** Our own modules it may import besides those of its own folder. */
  may: readonly RegExp[];
  node?: true;
  /** Packages; any where it is not given. */
  packages?: readonly RegExp[];
}

const proto = /^proto\/(gen\/|effects\.ts$)/;
const wire = [/^@bufbuild\/protobuf(\/|$)/, /^@connectrpc\/connect(\/|$)/];
const commandsCore = /^commands\/(core|query|text)\//;
const anyNoun = /^commands\/(?!cli\/)/;

const layers: readonly Layer[] = [
  // The bin of package.json stands outside the layers: it builds the command line and then becomes it.
  { name: 'the bin', files: /^commands\/cli\/quarterdeck\.mjs$/, may: [/^server\/launch\//], node: true },
  { name: 'commands/cli', files: /^commands\/cli\//, may: [proto, /^commands\//], node: true },
  // Rules for texts that everybody shares, the server too; they need nothing.
  { name: 'commands/text', files: /^commands\/text\//, may: [], packages: [] },
  { name: 'commands/core', files: /^commands\/core\//, may: [proto, commandsCore], packages: wire },
  { name: 'commands/query', files: /^commands\/query\//, may: [proto, commandsCore], packages: wire },
  { name: 'commands/script', files: /^commands\/script\//, may: [proto, anyNoun], packages: wire },
  { name: 'commands/i18n', files: /^commands\/i18n\.ts$/, may: [anyNoun], packages: [/^i18next$/] },
  { name: 'commands/all', files: /^commands\/[^/]+$/, may: [proto, anyNoun], packages: wire },
  {
    name: 'a noun of commands',
    files: /^commands\//,
    may: [proto, commandsCore, /^commands\/[^/]+\/(entity|item)\.ts$/],
    packages: wire,
  },
  { name: 'src/ui', files: /^src\/ui\//, may: [/^commands\/text\//] },
  { name: 'src', files: /^src\//, may: [proto, anyNoun, /^src\//] },
  {
    name: 'server',
    files: /^server\//,
    may: [proto, /^commands\/core\/(ability|errors)\.ts$/, /^commands\/text\//, /^server\//],
    node: true,
  },
];

const ours = /^(proto|commands|src|server|tests)\//;
const parent = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** A noun's folder, or the file's own folder elsewhere: what is inside it belongs together. */
const home = (path: string): string => /^(commands\/[^/]+\/|src\/ui\/)/.exec(path)?.[0] ?? parent(path);

function refused({ path, imports }: Source, layer: Layer): string[] {
  const wrong = imports.filter((target) => {
    if (target.startsWith('node:') || isBuiltin(target)) return layer.node !== true;
    if (!ours.test(target)) return layer.packages?.every((allowed) => !allowed.test(target)) ?? false;
    return !target.startsWith(home(path)) && !layer.may.some((allowed) => allowed.test(target));
  });
  return wrong.map((target) => `${path} imports ${target}`);
}

describe('a layer imports only what stands below it', () => {
  const layerOf = (source: Source) => layers.find((layer) => layer.files.test(source.path));

  it.each(layers.map((layer) => [layer.name, layer] as const))('%s', (_, layer) => {
    const members = sources.filter((source) => layerOf(source) === layer);
    expect(members.flatMap((source) => refused(source, layer))).toEqual([]);
  });

  it('sees a wrong import of each kind', () => {
    const source = (path: string, target: string): Source => ({ path, text: '', imports: [target] });
    const wrong = [
      source('commands/core/a.ts', 'commands/tag/entity.ts'),
      source('commands/tag/a.ts', 'commands/webhook/commands.ts'),
      source('commands/tag/a.ts', 'react'),
      source('commands/query/a.ts', 'node:fs'),
      source('src/table/a.ts', 'commands/cli/main.ts'),
      source('src/table/a.ts', 'server/app'),
      source('src/ui/a.ts', 'src/keys/a.ts'),
      source('server/app.ts', 'src/ui/a.ts'),
      source('server/app.ts', 'commands/core/plan'),
      source('commands/text/a.ts', 'commands/core/message.ts'),
      source('commands/text/a.ts', 'i18next'),
    ];
    for (const one of wrong) expect(refused(one, layerOf(one)!), one.path + one.imports[0]).toHaveLength(1);
  });
});
