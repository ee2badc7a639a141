/** Kernels of plain functions of one value or of two. */
import { PairKernel, ValueKernel } from '../../core/inputs.ts';

/** A function of the value alone. */
abstract class Transform extends ValueKernel {
  abstract of(x: number): number;

  override step(x: number): void {
    this.isReady = true;
    this.value = this.of(x);
  }
}

/** The kernel class of a function of one value. */
export function transform(of: (x: number) => number): new () => ValueKernel {
  return class extends Transform {
    override of(x: number): number {
      return of(x);
    }
  };
}

/** The kernel class of a function of two values. */
export function operator(of: (x: number, y: number) => number): new () => PairKernel {
  return class extends PairKernel {
    override step(x: number, y: number): void {
      this.isReady = true;
      this.value = of(x, y);
    }
  };
}
