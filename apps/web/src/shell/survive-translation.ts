/**
 * Page translators replace texts by elements of their own. React then removes a text that is no longer where it put it, or inserts beside
 * one, the browser throws, and the whole page is lost (https://github.com/facebook/react/issues/11538).
 */
export function surviveTranslation(): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    return child.parentNode === this ? (removeChild.call(this, child) as T) : child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, child: T, next: Node | null): T {
    return insertBefore.call(this, child, next?.parentNode === this ? next : null) as T;
  };
}
