import { expect, it } from "vitest";
import { linePath } from "./line-chart.tsx";

const y = (value: number) => 100 - value;

it("draws a line over the whole width, leaves gaps for missing values, and shows isolated values", () => {
  expect(linePath([0, 50, 100], 200, y)).toBe("M0 100L100 50L200 0");
  expect(linePath([0, 10, null, 20, 30], 200, y)).toBe("M0 100L50 90M150 80L200 70");
  expect(linePath([null, 10, null], 200, y)).toBe("M100 90h4");
  expect(linePath([5], 200, y)).toBe("M0 95h4");
  expect(linePath([], 200, y)).toBe("");
});
