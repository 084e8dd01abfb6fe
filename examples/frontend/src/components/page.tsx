import { type ReactNode, useEffect, useRef } from 'react';

let isFirst = true;

/** A page with its heading. If the focus was on a link of the previous page, it moves to the heading, so that a screen reader announces the new page. */
export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    // A control outside the page, such as the tenant switcher, keeps the focus.
    if (!isFirst && document.activeElement === document.body) heading.current?.focus();
    isFirst = false;
  }, []);
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
