import { message, type Message } from '#commands/text/message.ts';

import type { Ability } from './ability.ts';
import type { DetailField } from './column.ts';
import { command, type Command } from './command.ts';
import { requireCapability, type Context } from './context.ts';
import type { DetailTab } from './entity.ts';
import type { HostCapabilities } from './host.ts';
import type { Args } from './invocation.ts';
import type { Screen } from './screen.ts';

/** A command that a section shows as a button or a form. */
export interface SectionAction<Data> {
  /** `noun.verb`. */
  readonly command: string;
  /**
   * A `form` shows the command's fields with their `initial` values and submits them together. An `instant` form
   * submits each field when its value is chosen.
   */
  readonly as: 'form' | 'instant' | 'button';
  args?(data: Data): Args;
  /** Returns false if the action has nothing to act on. The section then omits it. */
  when?(data: Data): boolean;
}

/** A part of a page: details, lists, and the commands that change them. */
export interface Section<Data> {
  readonly id: string;
  /** True if the section has an explanation, `pages.<page>.hints.<section>`. */
  readonly hint?: true;
  /** Hidden if the section has a form, whose fields show the same values. The CLI always prints them. */
  readonly details?: readonly DetailField<Data>[];
  readonly detailTabs?: readonly DetailTab<Data>[];
  readonly actions?: readonly SectionAction<Data>[];
}

/**
 * The part of a page that is available before its noun has loaded (`registry/manifest.ts`): its screen, and the
 * permission to see it.
 */
export interface PageMetadata {
  /** The noun whose locale file has its strings under `pages.<name>`. Its title is with the titles of all screens. */
  readonly noun: string;
  /** The id, and the verb of the command that opens the page: `me.profile`. */
  readonly name: string;
  readonly screen: Screen;
  readonly requires?: Ability;
  readonly features?: readonly string[];
}

/**
 * A screen without a table: the user's profile, an organization, preferences. The route, the rail, the tabs, the
 * palette, and the CLI are derived from this declaration. Its functions are methods, so `Page<CurrentUser>` is
 * assignable to {@link AnyPage}.
 */
export interface Page<Data> extends PageMetadata {
  /** Names of the entities (or `me`) whose changes make it reload. */
  readonly changedBy: readonly string[];
  load(context: Context): Promise<Data>;
  /** Returns the contract's JSON, for `--json` in the CLI. */
  json(data: Data): unknown;
  readonly sections: readonly Section<Data>[];
  /** Returns the item that the page is about. Commands on the item, and their keys, work here as they do on its row. */
  subject?(data: Data): { readonly entity: string; readonly id: string; readonly name: string };
}

export type AnyPage = Page<unknown>;

/** Declares a page, inferring the type of its data. */
export function page<Data>(spec: Page<Data>): Page<Data> {
  return spec;
}

export const pageLabels = {
  title: (page: PageMetadata): Message => message(`screen:${page.noun}.${page.name}`),
  section: (page: PageMetadata, id: string): Message => message(`${page.noun}:pages.${page.name}.sections.${id}`),
  hint: (page: PageMetadata, id: string): Message => message(`${page.noun}:pages.${page.name}.hints.${id}`),
  detail: (page: PageMetadata, id: string): Message => message(`${page.noun}:pages.${page.name}.details.${id}`),
  detailTab: (page: PageMetadata, id: string): Message => message(`${page.noun}:pages.${page.name}.detailTabs.${id}`),
};

/**
 * Declares a command such as `me.profile`, which opens the page in the console and prints its details in the CLI. Its
 * key is the screen's key.
 */
export function pageCommand<Data>(page: Page<Data>): Command {
  return command({
    id: `${page.noun}.${page.name}`,
    ...(page.requires ? { requires: page.requires } : {}),
    ...(page.features ? { features: page.features } : {}),
    effect: 'navigate',
    ...(page.screen.key ? { keys: [page.screen.key] } : {}),
    run: async (context) => {
      const { output } = context.host;
      if (!output) {
        requireCapability(context, 'navigate')({ path: page.screen.path });
        return {};
      }
      await printPage(page, context, output);
      return {};
    },
  });
}

/** Prints the content of a page. */
export async function printPage<Data>(
  page: Page<Data>,
  context: Context,
  output: HostCapabilities['output'],
): Promise<void> {
  const data = await page.load(context);
  const details = page.sections.flatMap((section) => section.details ?? []);
  output.details({
    lines: details.map((detail) => ({
      head: pageLabels.detail(page, detail.id),
      kind: detail.kind,
      value: detail.value(data),
      time: detail.time?.(data),
    })),
    json: page.json(data),
  });
}
