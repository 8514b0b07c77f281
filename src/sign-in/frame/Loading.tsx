import { SkeletonRows } from '#src/ui/Skeleton.tsx';

import { Heading } from './Heading.tsx';
import { useText } from './texts.ts';

/** Stands in for a screen while its content loads. */
export function Loading({ title }: { readonly title: string }) {
  const t = useText();
  return (
    <section className="flex flex-col gap-3.5">
      <Heading title={title} />
      <SkeletonRows count={2} label={t('loading')} />
    </section>
  );
}
