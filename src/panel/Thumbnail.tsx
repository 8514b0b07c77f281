import { useQuery } from '@tanstack/react-query';
import { FileText, Image } from 'lucide-react';
import { useCallback } from 'react';

import { filesHost } from '#src/data/files-host.ts';
import { keyOf } from '#src/data/query-client.ts';

interface ThumbnailProps {
  readonly organization: string;
  /** The link to an image. Absent for other files, which show an icon. */
  readonly link: string | undefined;
}

/** A small picture of a file. */
export function Thumbnail({ organization, link }: ThumbnailProps) {
  return (
    <span className="flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-field border border-line bg-surface-2 text-ink-3">
      {link === undefined ? <FileText size={18} aria-hidden /> : <Picture organization={organization} link={link} />}
    </span>
  );
}

/**
 * An image, fetched with the user's session, because the link alone shows nothing. Fetched whole, because the contract
 * has no smaller version, and only once it is visible.
 */
function Picture({ organization, link }: { readonly organization: string; readonly link: string }) {
  const { data } = useQuery({
    queryKey: keyOf(organization, 'file-image', link),
    queryFn: async ({ signal }) => new Blob([(await filesHost.fetch(link, signal)) as Uint8Array<ArrayBuffer>]),
    staleTime: Infinity,
    retry: false,
  });
  const show = useCallback(
    (image: HTMLImageElement) => {
      if (data === undefined) return undefined;
      const url = URL.createObjectURL(data);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [data],
  );
  if (data === undefined) return <Image size={18} aria-hidden />;
  return <img ref={show} alt="" className="size-full object-cover" />;
}
