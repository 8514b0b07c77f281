import type { Ability } from '#commands/model/ability.ts';
import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { message } from '#commands/text/message.ts';
import type { File } from '#proto/gen/hiber/file_pb.ts';

import type { CallContext } from './bulk-action.ts';
import { findFile, isNamed } from './file-item.ts';

/** Files to add to items, and the identifiers of files to remove from them. */
export interface FileChange {
  readonly add: File[];
  readonly remove: string[];
}

/** An entity whose items have files. */
export interface FileOwner<Item> {
  readonly entity: Entity<Item>;
  /** The name of the param for the items. The default is the entity's plural. */
  readonly target?: string;
  readonly files: (item: Item) => readonly File[];
  /** Loads the files of an item that can't be detached, such as those of its notes. */
  readonly otherFiles?: (context: Context, item: Item) => Promise<readonly File[]>;
  readonly requires: {
    readonly attach: Ability | readonly Ability[];
    readonly detach: Ability | readonly Ability[];
  };
  /** The organization of an item, if lists can include items of other organizations. */
  readonly organization?: (item: Item) => string;
  /** Items per call, if the contract limits them. */
  readonly size?: number;
  readonly update: (context: CallContext, items: readonly Item[], change: FileChange) => Promise<void>;
}

/** The label of files in a plan. */
export const FILES_FIELD = message('common:files.field');

/** Returns the name of the param for the items. */
export const targetOf = <Item>({ target, entity }: FileOwner<Item>): string => target ?? entity.plural;

/** Returns the item of a command for a single item. */
export const itemOf = <Item>(owner: FileOwner<Item>, args: object): Item | undefined =>
  (args as Record<string, SelectedItems<Item>>)[targetOf(owner)]!.items[0];

/**
 * Finds the file of an item that a text means.
 *
 * @throws CommandError if there is none, or if several files have that name
 */
export async function findOwnFile<Item>(
  { files, otherFiles }: FileOwner<Item>,
  context: Context,
  item: Item | undefined,
  text: string,
): Promise<File> {
  const ownFiles = item === undefined ? [] : files(item);
  if (item === undefined || !otherFiles || ownFiles.some((file) => isNamed(file, text)))
    return findFile(ownFiles, text);
  return findFile(await otherFiles(context, item), text);
}
