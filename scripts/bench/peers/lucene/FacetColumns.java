import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.util.LongValues;

/** The number of each document's value by facet and segment, in arrays: the fastest form to count from. */
final class FacetColumns {
  static final List<String> FACETS = List.of("category", "language", "author");

  /** By place of the segment, then of the facet, then by document. */
  private final int[][][] ordinals;
  /** Distinct values of a facet in all segments. */
  final int[] sizes = new int[FACETS.size()];

  FacetColumns(DirectoryReader reader) throws IOException {
    ordinals = new int[reader.leaves().size()][FACETS.size()][];
    for (int facet = 0; facet < FACETS.size(); facet++) read(reader, facet);
  }

  int[][] of(LeafReaderContext segment) {
    return ordinals[segment.ord];
  }

  private void read(DirectoryReader reader, int facet) throws IOException {
    String field = FACETS.get(facet);
    SortedDocValues all = MultiDocValues.getSortedValues(reader, field);
    sizes[facet] = all.getValueCount();
    for (LeafReaderContext segment : reader.leaves()) {
      SortedDocValues values = segment.reader().getSortedDocValues(field);
      LongValues numbers =
          all instanceof MultiDocValues.MultiSortedDocValues many
              ? many.mapping.getGlobalOrds(segment.ord)
              : LongValues.IDENTITY;
      int[] column = new int[segment.reader().maxDoc()];
      for (int document = values.nextDoc(); document < column.length; document = values.nextDoc()) {
        column[document] = (int) numbers.get(values.ordValue());
      }
      ordinals[segment.ord][facet] = column;
    }
  }
}
