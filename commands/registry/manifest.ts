import type { CommandMetadata } from '#commands/model/command.ts';
import type { EntityMetadata } from '#commands/model/entity.ts';
import type { PageMetadata } from '#commands/model/page.ts';

import { commandsOf, summarizeNouns, type Noun } from './registry.ts';

// The manifest contains the metadata of every noun as JSON. The console's build derives it from the declarations
// (`vite.config.ts`), so keys and the rail work before the code of the nouns has loaded.

/** A command in the manifest. Refers to entities by name, and omits absent and empty values. */
interface ManifestCommand extends Omit<
  CommandMetadata,
  'noun' | 'verb' | 'requires' | 'on' | 'target' | 'blockedReason' | 'keyLabel'
> {
  readonly requires?: CommandMetadata['requires'];
  readonly on?: string;
  /** Without an entity, the param accepts items of `on`. */
  readonly target?: readonly [param: string, entity?: string];
}

export interface ManifestNoun {
  /** The name of the noun's folder. */
  readonly name: string;
  readonly entity?: Omit<EntityMetadata, 'changedItem'>;
  readonly pages?: readonly PageMetadata[];
  readonly commands: readonly ManifestCommand[];
}

export type Manifest = readonly ManifestNoun[];

/** Creates the manifest for nouns keyed by folder name. */
export function createManifest(nouns: Readonly<Record<string, Noun>>): Manifest {
  const summary = summarizeNouns(Object.values(nouns));
  return Object.entries(nouns).map(([name, noun]) => ({
    name,
    ...(noun.entity ? { entity: writeEntity(noun.entity) } : {}),
    ...(noun.pages ? { pages: noun.pages.map(writePage) } : {}),
    commands: commandsOf(noun, summary).map(writeCommand),
  }));
}

const writeEntity = ({ name, plural, requires, features, screen, changedBy, references }: EntityMetadata) =>
  omitEmpty({ name, plural, requires, features, screen, changedBy, references });

const writePage = ({ noun, name, screen, requires, features }: PageMetadata) =>
  omitEmpty({ noun, name, screen, requires, features });

function writeCommand(command: CommandMetadata): ManifestCommand {
  const {
    id,
    effect,
    on,
    notOn,
    requires,
    features,
    affectsOnlyCaller,
    preparesChange,
    keys,
    repeats,
    needs,
    onTarget,
    onRows,
    unlisted,
  } = command;
  const { target } = command;
  const onName = on?.().name;
  return omitEmpty({
    id,
    effect,
    on: onName,
    target: target && writeTarget(target, onName),
    notOn,
    requires,
    features,
    affectsOnlyCaller,
    preparesChange,
    keys,
    repeats,
    needs,
    onTarget,
    onRows,
    unlisted,
  });
}

function writeTarget({ name, entity }: NonNullable<CommandMetadata['target']>, onName: string | undefined) {
  const entityName = entity().name;
  return entityName === onName ? ([name] as const) : ([name, entityName] as const);
}

/** Omits empty values, which mean the same as absent values. */
function omitEmpty<Metadata extends object>(metadata: Metadata): Metadata {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value))) as Metadata;
}

/** The metadata of a noun. */
export interface NounMetadata {
  readonly name: string;
  readonly entity?: EntityMetadata;
  readonly pages: readonly PageMetadata[];
  readonly commands: readonly CommandMetadata[];
}

/** Reads the metadata of every noun, in the order of the manifest. */
export function readManifest(manifest: Manifest): readonly NounMetadata[] {
  const entities = new Map(manifest.flatMap(({ entity }) => (entity ? [[entity.name, entity] as const] : [])));
  const findEntity = (name: string) => (): EntityMetadata => {
    const entity = entities.get(name);
    if (!entity) throw new Error(`The manifest has no entity "${name}".`);
    return entity;
  };
  const readCommand = ({ on, target, requires = [], ...metadata }: ManifestCommand): CommandMetadata => {
    const [noun = '', verb = ''] = metadata.id.split('.');
    return {
      ...metadata,
      noun,
      verb,
      requires,
      ...(on === undefined ? {} : { on: findEntity(on) }),
      ...(target ? { target: { name: target[0], entity: findEntity(target[1] ?? on ?? '') } } : {}),
    };
  };
  return manifest.map(({ pages = [], commands, ...metadata }) => ({
    ...metadata,
    pages,
    commands: commands.map(readCommand),
  }));
}
