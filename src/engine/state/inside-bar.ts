/** Tells whether a bar of a backtest is being played. Strategies see nothing of it before its end. @hot */
export class InsideBar {
  /** True while a bar is played: handlers wait for its end. */
  isOpen = false;
  /** True while managed trades act at a price inside the bar: what they order meets the market there. */
  acts = false;
}
