"""Writes the rasters of this folder with GDAL, through the package rasterio: the forms in which landscapes come."""

import numpy
import rasterio
import rasterio.shutil
from rasterio.transform import from_origin

ROWS, COLUMNS = 18, 40
random = numpy.random.default_rng(1)
y, x = numpy.mgrid[0:ROWS, 0:COLUMNS]
elevation = (900 + 200 * numpy.sin(x / 9) * numpy.cos(y / 7)).astype("int16")
slope = random.integers(0, 40, (ROWS, COLUMNS)).astype("int16")
aspect = numpy.where(slope == 0, -1, random.integers(0, 360, (ROWS, COLUMNS))).astype("int16")
fuel = random.choice([102, 122, 145, 183, 98], (ROWS, COLUMNS)).astype("int16")
fuel[0, :5] = -9999
cover = random.integers(0, 90, (ROWS, COLUMNS)).astype("int16")
height = (3 * cover).astype("int16")
base, density = (cover // 10).astype("int16"), (cover // 5).astype("int16")
transform = from_origin(-1500000, 2000000, 30, 30)


def write(name, bands, **options):
    """One GeoTIFF, as GDAL writes it with these options."""
    size = {"height": ROWS, "width": COLUMNS, "count": len(bands), "dtype": bands[0].dtype}
    place = {"crs": "EPSG:5070", "transform": transform, "nodata": -9999}
    with rasterio.open(name, "w", driver="GTiff", **size, **place, **options) as file:
        for number, band in enumerate(bands, 1):
            file.write(band, number)


tiles = {"tiled": True, "blockxsize": 16, "blockysize": 16}
landscape = [elevation, slope, aspect, fuel, cover, height, base, density]
write("lzw_tiles_apart.tif", landscape, compress="lzw", predictor=2, interleave="band", **tiles)
write("deflate_tiles_together.tif", landscape, compress="deflate", predictor=2, interleave="pixel", **tiles)
write("strips.tif", landscape, interleave="band", ENDIANNESS="BIG")
units = {"ELEVATION_UNIT": "METERS", "SLOPE_UNIT": "DEGREES", "ASPECT_UNIT": "AZIMUTH_DEGREES"}
canopy = {"CANOPY_COV_UNIT": "PERCENT", "CANOPY_HT_UNIT": "METERS_X_10"}
crowns = {"CBH_UNIT": "METERS_X_10", "CBD_UNIT": "KG_PER_CUBIC_METER_X_100"}
others = {"FUEL_MODEL_OPTION": "NO_CUSTOM_AND_NO_FILE", "LINEAR_UNIT": "SET_FROM_SRS"}
rasterio.shutil.copy("strips.tif", "landscape.lcp", driver="LCP", **units, **canopy, **crowns, **others)
heights = elevation.astype("float32") + 0.25
write("floats.tif", [heights], compress="deflate", predictor=3, **tiles)
write("floats_big.tif", [heights], compress="lzw", predictor=3, ENDIANNESS="BIG")
write("doubles.tif", [heights.astype("float64")], BIGTIFF="YES")
write("packed.tif", [heights], compress="packbits")
holes = numpy.full((ROWS, COLUMNS), -9999, "float32")
holes[:, :16] = heights[:, :16]
write("sparse.tif", [holes], compress="lzw", SPARSE_OK=True, **tiles)
write("degrees.tif", [fuel], compress="lzw")
with rasterio.open("degrees.tif", "r+") as file:
    file.crs = "EPSG:4326"
write("feet.tif", [fuel], compress="lzw")
with rasterio.open("feet.tif", "r+") as file:
    file.crs = "+proj=utm +zone=12 +ellps=GRS80 +to_meter=0.5"
