import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/** A query of the benchmark (`BenchQuery` in scripts/bench/search/peer.ts) as one of Lucene's. */
final class BenchQueries {
  static final List<String> FIELDS = List.of("title", "description", "content");
  private static final List<Float> BOOSTS = List.of(5f, 2f, 1f);

  private final Analyzer analyzer;

  BenchQueries(Analyzer analyzer) {
    this.analyzer = analyzer;
  }

  Query queryOf(JsonNode source) throws IOException {
    Query match = matchOf(source);
    List<Query> filters = filtersOf(source);
    if (filters.isEmpty()) return match;
    var query = new BooleanQuery.Builder().add(match, Occur.MUST);
    for (Query filter : filters) query.add(filter, Occur.FILTER);
    return query.build();
  }

  /** Null: by score. */
  Sort sortOf(JsonNode source) {
    if (!source.has("sort")) return null;
    boolean byPrice = source.get("sort").asText().equals("price");
    return new Sort(
        byPrice
            ? DoubleField.newSortField("price", true, SortedNumericSelector.Type.MIN)
            : LongField.newSortField("published", true, SortedNumericSelector.Type.MIN));
  }

  private Query matchOf(JsonNode source) throws IOException {
    if (source.has("prefix")) {
      String prefix = source.get("prefix").asText();
      return inAnyField((field) -> new PrefixQuery(new Term(field, prefix)));
    }
    if (source.has("typo")) {
      String written = source.get("typo").get("written").asText();
      String stem = stemOf(written);
      int edits = written.length() < 8 ? 1 : 2;
      return inAnyField((field) -> new FuzzyQuery(new Term(field, stem), edits));
    }
    var stems = new ArrayList<String>();
    for (JsonNode word : source.get("words")) stems.add(stemOf(word.asText()));
    if (stems.isEmpty()) return new MatchAllDocsQuery();
    if (source.has("phrase")) return inAnyField((field) -> new PhraseQuery(field, stems.toArray(new String[0])));
    if (stems.size() == 1) return inAnyField((field) -> new TermQuery(new Term(field, stems.get(0))));
    Occur occur = source.get("operator").asText().equals("AND") ? Occur.MUST : Occur.SHOULD;
    var query = new BooleanQuery.Builder();
    for (String stem : stems) query.add(inAnyField((field) -> new TermQuery(new Term(field, stem))), occur);
    return query.build();
  }

  /** The weighted sum over the fields that match. */
  private static Query inAnyField(Function<String, Query> inField) {
    var query = new BooleanQuery.Builder();
    for (int i = 0; i < FIELDS.size(); i++) {
      query.add(new BoostQuery(inField.apply(FIELDS.get(i)), BOOSTS.get(i)), Occur.SHOULD);
    }
    return query.build();
  }

  private static List<Query> filtersOf(JsonNode source) {
    var filters = new ArrayList<Query>();
    if (source.has("categories")) {
      var values = new ArrayList<BytesRef>();
      for (JsonNode category : source.get("categories")) values.add(new BytesRef(category.asText()));
      filters.add(new TermInSetQuery("category", values));
    }
    if (source.has("publishedFrom")) {
      filters.add(LongField.newRangeQuery("published", source.get("publishedFrom").asLong(), Long.MAX_VALUE));
    }
    if (source.has("near")) {
      JsonNode near = source.get("near");
      double latitude = near.get("latitude").asDouble();
      double longitude = near.get("longitude").asDouble();
      double metres = near.get("metres").asDouble();
      filters.add(
          new IndexOrDocValuesQuery(
              LatLonPoint.newDistanceQuery("place", latitude, longitude, metres),
              LatLonDocValuesField.newSlowDistanceQuery("place", latitude, longitude, metres)));
    }
    return filters;
  }

  private String stemOf(String word) throws IOException {
    List<List<String>> positions = Terms.of(analyzer, word);
    return positions.isEmpty() ? word : positions.getFirst().getFirst();
  }
}
