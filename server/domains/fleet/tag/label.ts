import { MAX_LENGTH } from '#commands/text/lengths.ts';
import type { Tag_Label } from '#proto/gen/hiber/tag_pb.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/** The default type of a new label (contract: TagService.Create). */
export const DEFAULT_TAG_TYPE = 'group';

/** Types that need no permission. Lists can sort by each of them except `group`. */
const standardTypes: ReadonlySet<string> = new Set([DEFAULT_TAG_TYPE, 'well', 'site', 'production_area']);

export const isCustomType = (type: string): boolean => !standardTypes.has(type);

const MAX_NAME_LENGTH = MAX_LENGTH.tagName;

export function readTagName(text: string): string {
  const name = text.trim();
  if (name === '') throw invalidArgument('A tag needs a name.');
  if (name.length > MAX_NAME_LENGTH) {
    throw invalidArgument(`A tag's name can have at most ${MAX_NAME_LENGTH} characters, not ${name.length}.`);
  }
  return name;
}

/** Reads a new tag's label. Custom types require CUSTOM_TAGS (contract: Permissions). */
export function readLabel(label: Tag_Label | undefined, caller: Scope): { name: string; type: string } {
  const name = readTagName(label?.name ?? '');
  const type = label?.type.trim() || DEFAULT_TAG_TYPE;
  if (isCustomType(type)) caller.require('CUSTOM_TAGS');
  return { name, type };
}
