import { useEffect, useRef } from 'react';

interface MoreButtonProps {
  isLoading: boolean;
  onMore: () => void;
}

/** Loads the next records when it scrolls into view, and when it is pressed. */
export function MoreButton({ isLoading, onMore }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && !isLoading && onMore());
    if (button.current) observer.observe(button.current);
    return () => observer.disconnect();
  }, [isLoading, onMore]);
  return (
    <button ref={button} type="button" aria-disabled={isLoading} onClick={() => !isLoading && onMore()}>
      {isLoading ? 'Loading…' : 'Load more'}
    </button>
  );
}
