import { LONGEST } from '#commands/text/lengths.ts';
import type { Tag_Label } from '#proto/gen/hiber/tag_pb.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/** What a label is without a type (contract: TagService.Create). */
export const DEFAULT_TAG_TYPE = 'group';

/** Types that everybody may use; with sorts of their own, apart from `group`. */
const knownTypes: ReadonlySet<string> = new Set([DEFAULT_TAG_TYPE, 'well', 'site', 'production_area']);

export const isCustomType = (type: string): boolean => !knownTypes.has(type);

const mostLetters = LONGEST.tagName;

export function readTagName(text: string): string {
  const name = text.trim();
  if (name === '') throw invalidArgument('A tag needs a name.');
  if (name.length > mostLetters) {
    throw invalidArgument(`A tag's name has at most ${mostLetters} letters; this one has ${name.length}.`);
  }
  return name;
}

/** Reads a label for a tag to be made. Custom types need CUSTOM_TAGS (contract: Permissions). */
export function readLabel(label: Tag_Label | undefined, caller: Scope): { name: string; type: string } {
  const name = readTagName(label?.name ?? '');
  const type = label?.type.trim() || DEFAULT_TAG_TYPE;
  if (isCustomType(type)) caller.require('CUSTOM_TAGS');
  return { name, type };
}
