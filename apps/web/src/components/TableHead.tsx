interface TableHeadProps {
  /** A heading in an object stands over numbers. */
  columns: readonly (string | { readonly number: string })[];
}

export function TableHead({ columns }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          typeof column === "string" ? (
            <th key={column} scope="col">
              {column}
            </th>
          ) : (
            <th key={column.number} scope="col" data-number>
              {column.number}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
