import { useQuery } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';

import { pageLabels, type AnyPage, type PageMetadata, type Section } from '#commands/model/page.ts';
import { message } from '#commands/text/message.ts';
import { onChange } from '#src/data/changes.ts';
import { invalidate, keyOf } from '#src/data/query-client.ts';
import { InlineForm } from '#src/form/InlineForm.tsx';
import { InstantForm } from '#src/form/InstantForm.tsx';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { DetailList } from '#src/panel/DetailList.tsx';
import { DetailTabList } from '#src/panel/DetailTabList.tsx';
import { useDetailEditing } from '#src/panel/use-detail-editing.tsx';
import { registry } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { reportFirstScreen } from '#src/state/first-screen.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';

import { PanelLayout } from './PanelLayout.tsx';

export interface PageScreenProps {
  readonly metadata: PageMetadata;
}

/** The screen of any page: its sections, one below the other, and the panel. */
export function PageScreen({ metadata: { noun, name } }: PageScreenProps) {
  const session = useAtomValue(userSessionAtom);
  const page = registry().pages.find((item) => item.noun === noun && item.name === name);
  if (!session || !page) return null;
  return <Sections key={session.organization.id} page={page} organization={session.organization.id} />;
}

interface SectionsProps {
  readonly page: AnyPage;
  readonly organization: string;
}

function Sections({ page, organization }: SectionsProps) {
  const translate = useTranslate();
  const t = useText();
  const setVisibleTargets = useSetAtom(visibleTargetsAtom);
  const root = useRef<HTMLElement>(null);
  const queryKey = keyOf(organization, page.noun, 'page', page.name);
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => page.load(contextNow({ signal })),
  });
  const hasLoaded = data !== undefined;

  useEffect(() => {
    if (!hasLoaded) return;
    reportFirstScreen();
    // Tab then continues from the page, not from the rail.
    if (document.activeElement === document.body) root.current?.focus();
  }, [hasLoaded]);
  useEffect(
    () =>
      onChange(({ entity }) => {
        if (page.changedBy.includes(entity))
          invalidate({ queryKey: keyOf(organization, page.noun, 'page', page.name) });
      }),
    [page, organization],
  );

  const subject = hasLoaded ? page.subject?.(data) : undefined;
  const [entity, id, name] = [subject?.entity, subject?.id, subject?.name];
  useEffect(() => {
    if (entity === undefined || id === undefined || name === undefined) return undefined;
    setVisibleTargets((targets) => ({
      ...targets,
      subject: { entity, id, name: message('core:target.item', { name }) },
    }));
    return () => setVisibleTargets((targets) => ({ ...targets, subject: undefined }));
  }, [entity, id, name, setVisibleTargets]);

  const title = translate(pageLabels.title(page));
  return (
    <PanelLayout>
      <section ref={root} tabIndex={-1} aria-label={title} className="h-full overflow-y-auto outline-none">
        {!hasLoaded && error && (
          <LoadError title={t('panel.failed', { title })} error={error} retry={() => void refetch()} />
        )}
        {!hasLoaded && !error && (
          <div className="max-w-3xl px-6 py-5">
            <SkeletonRows count={8} label={t('panel.loading', { title })} />
          </div>
        )}
        {hasLoaded && (
          <div className="max-w-5xl divide-y divide-line px-6 pb-8">
            {page.sections.map((section) => (
              <PageSection
                key={section.id}
                page={page}
                section={section}
                data={data}
                version={dataUpdatedAt}
                organization={organization}
              />
            ))}
          </div>
        )}
      </section>
    </PanelLayout>
  );
}

interface PageSectionProps extends SectionsProps {
  readonly section: Section<unknown>;
  readonly data: unknown;
  /** The time when the data was loaded (ms since the epoch). */
  readonly version: number;
}

/** A section: its title on the left, its details and actions on the right. */
function PageSection({ page, section, data, version, organization }: PageSectionProps) {
  const translate = useTranslate();
  const { id, details = [], detailTabs = [], actions = [] } = section;
  const title = translate(pageLabels.section(page, id));
  const root = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  const subject = page.subject?.(data);
  const detailsRoot = useRef<HTMLDivElement>(null);
  const detailTitle = (detail: string): string => translate(pageLabels.detail(page, detail));
  const detailEditing = useDetailEditing(
    subject ? { ...subject, name: message('core:target.item', { name: subject.name }) } : { entity: '', id: '' },
    detailTitle,
    detailsRoot,
  );
  useEffect(() => {
    // After an action such as "Turn on" runs, its button may disappear and lose the focus.
    if (hadFocus.current && document.activeElement === document.body)
      root.current?.querySelector<HTMLElement>('button, input, select')?.focus();
  }, [version]);
  const availableActions = actions.filter((action) => action.when?.(data) ?? true);
  const forms = availableActions.filter(({ as }) => as === 'form');
  const instantActions = availableActions.filter(({ as }) => as === 'instant');
  const buttons = availableActions.filter(({ as }) => as === 'button');
  // A section without details or available actions would be empty.
  if (actions.length > 0 && availableActions.length === 0 && details.length === 0 && detailTabs.length === 0)
    return null;
  return (
    <section
      ref={root}
      aria-label={title}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={() => {
        hadFocus.current = false;
      }}
      className="grid gap-x-8 gap-y-3 py-6 md:grid-cols-[220px_minmax(0,1fr)]"
    >
      <header className="grid content-start gap-1">
        <h2 className="font-semibold">{title}</h2>
        {section.hint && <p className="text-label text-ink-3">{translate(pageLabels.hint(page, id))}</p>}
      </header>
      <div className="grid max-w-xl content-start gap-4">
        {details.length > 0 && forms.length + instantActions.length === 0 && (
          <div ref={detailsRoot}>
            <DetailList
              details={details}
              item={data}
              title={detailTitle}
              {...(subject ? { editing: detailEditing } : {})}
            />
          </div>
        )}
        {forms.map((action) => (
          <InlineForm
            key={action.command}
            buttonNextToField
            command={action.command}
            args={action.args?.(data) ?? NONE}
            version={version}
          />
        ))}
        {instantActions.map((action) => (
          <InstantForm
            key={action.command}
            command={action.command}
            args={action.args?.(data) ?? NONE}
            version={version}
          />
        ))}
        {detailTabs.map((detailTab) => (
          <div key={detailTab.id} className="-mx-4">
            <DetailTabList
              title={translate(pageLabels.detailTab(page, detailTab.id))}
              queryKey={keyOf(organization, page.noun, 'page', page.name, detailTab.id)}
              tab={detailTab}
              item={data}
              quiet
            />
          </div>
        ))}
        {buttons.length > 0 && (
          <div className="flex flex-wrap gap-2">
            {buttons.map((action) => (
              <CommandButton key={action.command} command={action.command} args={action.args?.(data) ?? NONE} />
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

const NONE = {};
