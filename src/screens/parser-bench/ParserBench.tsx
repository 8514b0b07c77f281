import { useQuery } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';

import { parser } from '#commands/nouns/data/parser/entity.ts';
import { idOf, nameOf } from '#commands/nouns/data/parser/item.ts';
import { message } from '#commands/text/message.ts';
import { onChange } from '#src/data/changes.ts';
import { invalidate, keyOf } from '#src/data/query-client.ts';
import { useText } from '#src/i18n/i18n.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { reportFirstScreen } from '#src/state/first-screen.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';

import { Bench } from './Bench.tsx';
import { BenchTabs } from './BenchTabs.tsx';
import { benchQuery } from './load-bench.ts';

import './bench.css';

interface ParserBenchProps {
  /** The identifier; undefined for a new parser. */
  readonly id: string | undefined;
  /** True to build a new parser field by field instead of writing its definition. */
  readonly isNewSimple?: boolean;
  readonly listPath: string;
}

/** What the bench shows: the parser, its fields, and the units that the user prefers. */
const SOURCES: ReadonlySet<string> = new Set(['parser', 'field', 'me']);

/** The parser bench, where users edit a definition and try it on messages. */
export function ParserBench({ id, isNewSimple = false, listPath }: ParserBenchProps) {
  const t = useText();
  const benchText = useText('parser');
  const session = useAtomValue(userSessionAtom);
  const organization = session?.organization.id ?? '';
  const setVisibleTargets = useSetAtom(visibleTargetsAtom);
  const { data: current, error, refetch } = useQuery(benchQuery(organization, id));
  // If someone deletes the parser, keep showing its bench, so unsaved text isn't lost.
  const [lastShown, setLastShown] = useState(current);
  if (current && current !== lastShown && (current.item || !lastShown?.item)) setLastShown(current);
  const data = current?.item || !lastShown?.item ? current : lastShown;
  const hasLoaded = data !== undefined;
  useEffect(() => {
    if (hasLoaded) reportFirstScreen();
  }, [hasLoaded]);
  useEffect(
    () =>
      onChange(({ entity }) => {
        if (SOURCES.has(entity)) invalidate({ queryKey: keyOf(organization, 'parser', 'bench') });
      }),
    [organization],
  );
  const name = data?.item && nameOf(data.item);
  useEffect(() => {
    if (id === undefined || name === undefined) return undefined;
    const subject = { entity: parser.name, id, name: message('core:target.item', { name }) };
    setVisibleTargets((targets) => ({ ...targets, subject }));
    return () => setVisibleTargets((targets) => ({ ...targets, subject: undefined }));
  }, [id, name, setVisibleTargets]);

  const title = benchText('bench.title');
  if (!data && error)
    return <LoadError title={t('panel.failed', { title })} error={error} retry={() => void refetch()} />;
  if (!data) {
    return (
      <div className="px-6 py-5">
        <SkeletonRows count={8} label={t('panel.loading', { title })} />
      </div>
    );
  }
  const bench = (isShown: boolean) => (
    <Bench
      key={data.item ? idOf(data.item) : ''}
      item={data.item}
      saved={data.definition}
      preferences={data.preferences}
      isShown={isShown}
      isDeleted={id !== undefined && !current?.item}
      isNewSimple={isNewSimple}
      listPath={listPath}
    />
  );
  if (!data.item) return bench(true);
  return <BenchTabs organization={organization} item={data.item} bench={bench} />;
}

/** The bench for a new parser that is built field by field. */
export function SimpleParserBench({ id, listPath }: Omit<ParserBenchProps, 'isNewSimple'>) {
  return <ParserBench id={id} isNewSimple listPath={listPath} />;
}
