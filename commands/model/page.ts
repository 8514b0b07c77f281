import type { Ability } from './ability.ts';
import { command, type Command } from './command.ts';
import { need, type Context } from './context.ts';
import type { DetailField } from './column.ts';
import type { Screen } from './screen.ts';
import type { DetailTab } from './entity.ts';
import type { HostCapabilities } from './host.ts';
import type { Args } from './invocation.ts';
import { message, type Message } from '#commands/text/message.ts';

/** A command that a section has a button or a form for. */
export interface SectionAction<Data> {
  /** `noun.verb`. */
  readonly command: string;
  /**
   * As the fields of a form, begun with the command's `initial`, sent together or each as it is chosen; else as a
   * button.
   */
  readonly as: 'form' | 'instant' | 'button';
  args?(data: Data): Args;
  /** Absent from the section where this is false: there is nothing for it to act on. */
  when?(data: Data): boolean;
}

/** A part of a page: details, lists, and the commands that change what they say. */
export interface Section<Data> {
  readonly id: string;
  /** True where `pages.<page>.hints.<section>` says more than the title. */
  readonly hint?: true;
  /** Not shown beside a form, which has them as its values; the CLI prints them in any case. */
  readonly details?: readonly DetailField<Data>[];
  readonly detailTabs?: readonly DetailTab<Data>[];
  readonly actions?: readonly SectionAction<Data>[];
}

/**
 * A screen that is no table: oneself, one organization, preferences. Declared once like an entity; the route, the rail,
 * the tabs, the palette and the CLI read this. Methods, so that `Page<CurrentUser>` is an {@link AnyPage}.
 */
export interface Page<Data> {
  /** Whose locale file has its texts, under `pages.<name>`; its title is with those of all screens. */
  readonly noun: string;
  /** Also the verb of the command that goes there: `me.profile`. */
  readonly name: string;
  readonly screen: Screen;
  readonly requires?: Ability;
  readonly features?: readonly string[];
  /** Names of the entities (or `me`) after whose change it is asked for again. */
  readonly changedBy: readonly string[];
  load(context: Context): Promise<Data>;
  /** As the contract writes it in JSON: what the CLI prints with `--json`. */
  json(data: Data): unknown;
  readonly sections: readonly Section<Data>[];
  /** The item that it is about: commands on it, and their keys, work here as on its row. */
  subject?(data: Data): { readonly entity: string; readonly id: string; readonly name: string };
}

export type AnyPage = Page<unknown>;

/** Declares a page; the type of its data is inferred. */
export function page<Data>(spec: Page<Data>): Page<Data> {
  return spec;
}

export const pageTexts = {
  title: (page: AnyPage): Message => message(`screen:${page.noun}.${page.name}`),
  section: (page: AnyPage, id: string): Message => message(`${page.noun}:pages.${page.name}.sections.${id}`),
  hint: (page: AnyPage, id: string): Message => message(`${page.noun}:pages.${page.name}.hints.${id}`),
  detail: (page: AnyPage, id: string): Message => message(`${page.noun}:pages.${page.name}.details.${id}`),
  detailTab: (page: AnyPage, id: string): Message => message(`${page.noun}:pages.${page.name}.detailTabs.${id}`),
};

/**
 * `me.profile`: goes to a page where there are screens, and prints its details where there are none. The key of the
 * screen is its key.
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
        need(context, 'navigate')({ path: page.screen.path });
        return {};
      }
      await printPage(page, context, output);
      return {};
    },
  });
}

/** Prints what a page says. */
export async function printPage<Data>(
  page: Page<Data>,
  context: Context,
  output: HostCapabilities['output'],
): Promise<void> {
  const data = await page.load(context);
  const details = page.sections.flatMap((section) => section.details ?? []);
  output.details({
    lines: details.map((detail) => ({
      head: pageTexts.detail(page, detail.id),
      kind: detail.kind,
      value: detail.value(data),
      at: detail.at?.(data),
    })),
    json: page.json(data),
  });
}
