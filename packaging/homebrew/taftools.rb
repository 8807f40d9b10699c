class Taftools < Formula
  desc "Numeric arrays on the command-line, joined by pipes"
  # url and sha256 of the archive that make dist makes
  license "ISC"

  depends_on "pkgconf" => :build
  depends_on "c-blosc"
  depends_on "gnuplot"
  depends_on "hdf5"
  depends_on "jansson"
  depends_on "libarchive"
  depends_on "xz"
  depends_on "zstd"
  uses_from_macos "bzip2"
  uses_from_macos "curl"
  uses_from_macos "zlib"

  def install
    system "./configure", "--prefix=#{prefix}", "--enable-shared"
    system "make"
    system "make", "install"
  end

  test do
    table = pipe_output("#{bin}/txt2taf", "1 2\n3 4\n")
    sum = pipe_output("#{bin}/tafreduce sum -d 1,2", table)
    assert_equal "10\n", pipe_output("#{bin}/tafread", sum)
  end
end
