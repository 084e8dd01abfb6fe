import { type ReactNode, useEffect, useRef } from 'react';

let isFirst = true;

interface PageProps {
  title: string;
  actions?: ReactNode;
  /** Whether the title and the content are still loading. */
  isLoading?: boolean;
  children: ReactNode;
}

/**
 * A page with its heading. If the focus was on a link of the previous page, it moves to the heading as soon as the page is loaded, so that a screen reader
 * announces the new page.
 */
export function Page({ title, actions, isLoading = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (isLoading) return;
    // A control outside the page, such as the tenant switcher, keeps the focus.
    if (!isFirst && document.activeElement === document.body) heading.current?.focus();
    isFirst = false;
  }, [isLoading]);
  return (
    <>
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </div>
      {children}
    </>
  );
}
